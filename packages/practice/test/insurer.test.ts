import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { INSURER_COOKIE, type PracticeInsurer, startPracticeInsurer } from "../src/index.ts";
import { csrfOf } from "./shopper.ts";

const STORY = "The hose burst.\nThe floor is wet.";
const CLAIM = { policy: "pol-home-204418", happened_on: "2026-11-21", claimed: "840.00", currency: "GBP" };

let now: number;
let insurer: PracticeInsurer;
let cookie: string;
beforeEach(async () => {
  now = Date.UTC(2026, 10, 30, 12, 0, 0);
  cookie = "";
  insurer = await startPracticeInsurer({ seed: "tests", clock: () => now });
});
afterEach(() => insurer.close());

async function send(url: string, init: RequestInit = {}) {
  const headers = { ...(cookie === "" ? {} : { cookie }), ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(new URL(url, insurer.origin), { redirect: "manual", ...init, headers });
  const set = response.headers.getSetCookie().find((line) => line.startsWith(INSURER_COOKIE));
  cookie = set?.split(";")[0] ?? cookie;
  return { status: response.status, text: await response.text(), location: response.headers.get("location") ?? "" };
}
const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  send(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
const code = (answer: { readonly text: string }): string => JSON.parse(answer.text).error.code;

async function signIn(): Promise<void> {
  await post("/api/session", { email: insurer.user.email, password: insurer.user.password });
  await post("/api/session/code", { code: insurer.currentCode() });
}
const csrf = async (): Promise<string> => JSON.parse((await send("/api/session")).text).csrf_token;

describe("the session of the insurer's API", () => {
  test("is the cookie of its pages: a new one after each factor, and with each look at it", async () => {
    expect((await send("/api/session")).status).toBe(401);
    await post("/api/session", { email: insurer.user.email, password: insurer.user.password });
    const half = cookie;
    expect((await send("/api/policies")).status).toBe(401);
    expect(code(await post("/api/session/code", { code: "000000" }))).toBe("invalid_code");
    await post("/api/session/code", { code: insurer.currentCode() });
    expect(cookie).not.toBe(half);
    const whole = cookie;
    await send("/api/session");
    expect(cookie).not.toBe(whole);
    expect((await send("/cover")).text).toContain("Home insurance");
    // The one before works for half a minute longer, unless the switch says otherwise.
    cookie = whole;
    expect((await send("/api/policies")).status).toBe(200);
    now += 30_000;
    expect((await send("/api/policies")).status).toBe(401);
  });

  test("a stricter site ends the one before at once", async () => {
    insurer.control.strictCookies();
    await signIn();
    const before = cookie;
    await send("/api/session");
    cookie = before;
    expect((await send("/api/policies")).status).toBe(401);
  });

  test("what changes something needs the session's own token, and comes as JSON", async () => {
    await signIn();
    const token = await csrf();
    const wish = { ...CLAIM, description: STORY };
    expect(code(await post("/api/claim-quotes", wish))).toBe("csrf_failed");
    expect(code(await post("/api/claim-quotes", wish, { "x-csrf-token": "x".repeat(43) }))).toBe("csrf_failed");
    const asForm = { "x-csrf-token": token, "content-type": "text/plain" };
    expect(code(await post("/api/claim-quotes", wish, asForm))).toBe("unsupported_media_type");
    expect((await post("/api/claim-quotes", wish, { "x-csrf-token": token })).status).toBe(201);
  });
});

describe("a claim by the API", () => {
  test("is taken once under its key, at the excess of the moment", async () => {
    await signIn();
    const headers = { "x-csrf-token": await csrf() };
    const quoted = JSON.parse((await post("/api/claim-quotes", { ...CLAIM, description: STORY }, headers)).text);
    expect(quoted).toMatchObject({ claimed: "840.00", excess: "250.00", expected_payout: "590.00" });
    insurer.control.excess(1_000);
    expect(JSON.parse((await send(`/api/claim-quotes/${quoted.quote}`)).text)).toMatchObject({ excess: "260.00" });
    const body = { quote: quoted.quote };
    expect(code(await post("/api/claims", body, headers))).toBe("idempotency_key_missing");
    const first = await post("/api/claims", body, { ...headers, "idempotency-key": "k1" });
    const again = await post("/api/claims", body, { ...headers, "idempotency-key": "k1" });
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect(insurer.control.counters().claims).toBe(1);
    expect(code(await post("/api/claims", body, { ...headers, "idempotency-key": "k2" }))).toBe("quote_expired");
  });

  test.each([
    [{ policy: "pol-nobody" }, "unknown_policy"],
    [{ policy: "pol-car-771903", happened_on: "2026-10-01", claimed: "900.00" }, "day_not_covered"],
    [{ happened_on: "2026-12-01" }, "day_to_come"],
    [{ claimed: "250.00" }, "below_excess"],
    [{ claimed: "60000.01" }, "above_limit"],
    [{ claimed: "840" }, "invalid_request"],
    [{ currency: "EUR" }, "invalid_request"],
    [{ happened_on: "2026-02-30" }, "invalid_request"],
  ])("with %j is none: %s", async (change, why) => {
    await signIn();
    const wish = { ...CLAIM, description: STORY, ...change };
    expect(code(await post("/api/claim-quotes", wish, { "x-csrf-token": await csrf() }))).toBe(why);
  });
});

describe("the claims company's form", () => {
  /** Where the frame of the portal's page leads. */
  const framed = async (query = ""): Promise<string> => {
    const { text } = await send(`/claims/new${query}`);
    return /<iframe title="Claim form" src="([^"]+)">/.exec(text)?.[1] ?? "";
  };
  const form = (url: string, fields: Readonly<Record<string, string>> = {}, headers: Record<string, string> = {}) =>
    fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields), headers });
  const begin = async (query = "") =>
    (await fetch(await framed(query), { redirect: "manual" })).headers.get("location") ?? "";
  async function toCheck(): Promise<string> {
    const at = new URL(await begin(), insurer.claimsOrigin).href.replace(/\/what$/, "");
    await form(`${at}/what`, { policy: CLAIM.policy, description: STORY.replace("\n", "\r\n") });
    await form(`${at}/amount`, { happened_on: CLAIM.happened_on, amount: "£840.00", own_reference: "mine" });
    return at;
  }

  test("opens by a ticket that is good once, for a minute, and for the session it was made for", async () => {
    await signIn();
    const first = await framed();
    expect(new URL(first).origin).toBe(insurer.claimsOrigin);
    expect((await fetch(first, { redirect: "manual" })).status).toBe(303);
    expect((await fetch(first, { redirect: "manual" })).status).toBe(403);
    const late = await framed();
    now += 60_000;
    expect((await fetch(late, { redirect: "manual" })).status).toBe(403);
    const orphan = await framed();
    insurer.control.endSession();
    expect((await fetch(orphan, { redirect: "manual" })).status).toBe(403);
    expect(insurer.control.counters()).toMatchObject({ ticketsUsed: 1, ticketsRefused: 3 });
  });

  test("stands in the portal's frame alone, and takes no cookie of the portal's for anything", async () => {
    await signIn();
    const opened = await fetch(await framed(), { headers: { "sec-fetch-dest": "document" }, redirect: "manual" });
    expect(opened.status).toBe(403);
    expect(opened.headers.get("content-security-policy")).toContain(`frame-ancestors ${insurer.origin}`);
    expect((await send("/claims/new")).status).toBe(200);
    const stranger = await fetch(`${insurer.claimsOrigin}/c/${"x".repeat(43)}/check`, { headers: { cookie } });
    expect(stranger.status).toBe(404);
    const at = await toCheck();
    const alone = await form(`${at}/send`, {}, { "sec-fetch-dest": "document" });
    const across = await form(`${at}/send`, {}, { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" });
    expect([alone.status, across.status]).toEqual([403, 403]);
    expect(insurer.control.counters().claims).toBe(0);
  });

  test("goes by three steps to what is sent, once; then it stands in the portal's list under its reference", async () => {
    await signIn();
    const at = await toCheck();
    const check = await (await fetch(`${at}/check`)).text();
    for (const shown of [
      "Home insurance FMH-204418",
      STORY,
      "21 November 2026",
      "£840.00",
      "£250.00",
      "£590.00",
      "mine",
    ])
      expect(check).toContain(shown);
    expect((await send("/claims")).text).toMatch(/Claims not sent.*D-5101.*Not sent/s);
    const [first, second] = [await form(`${at}/send`), await form(`${at}/send`)];
    expect(first.headers.get("location")).toMatch(/\/sent\/FM-\d+$/);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect(insurer.control.counters().claims).toBe(1);
    const list = (await send("/claims")).text;
    expect(list).toContain("<dd>mine</dd>");
    expect(list).not.toContain("Claims not sent");
  });

  test("what was begun is gone on with by a new ticket, and lapses; nothing of it goes on without the session", async () => {
    await signIn();
    const at = await toCheck();
    const again = new URL(await begin("?claim=D-5101"), insurer.claimsOrigin).href;
    expect(again).toBe(`${at}/check`);
    now += 15 * 60_000;
    expect((await form(`${at}/send`)).status).toBe(410);
    expect((await send("/claims")).text).toContain("Lapsed");
    const other = await toCheck();
    insurer.control.endSession();
    expect((await form(`${other}/send`)).status).toBe(401);
    expect(insurer.control.counters().claims).toBe(0);
  });
});

test("the portal's sign-in wants both factors, and its forms a token", async () => {
  const page = await send("/sign-in");
  const fields = { email: insurer.user.email, password: insurer.user.password, next: "/cover" };
  const body = (more: object) => ({ method: "POST", body: new URLSearchParams({ ...fields, ...more }) });
  expect((await send("/sign-in", body({}))).status).toBe(403);
  expect((await send("/sign-in", body({ csrf: csrfOf(page.text) }))).location).toBe("/sign-in/verify");
  expect((await send("/cover")).location).toMatch(/^\/sign-in/);
});
