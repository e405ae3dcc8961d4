import { afterEach, describe, expect, test } from "vitest";
import { phoneAct, phoneActs } from "../src/board/model.ts";
import { csrfToken, isSignedIn } from "../src/http/exchange.ts";
import { json, page, redirect } from "../src/http/reply.ts";
import { siteControl } from "../src/site/control.ts";
import { dispatch } from "../src/site/dispatch.ts";
import { html } from "../src/site/html.ts";
import { csrfField } from "../src/site/parts.ts";
import { answerPort } from "../src/site/port.ts";
import { type FactorKind, openChallenge, prove } from "../src/site/second-factor.ts";
import { signInRoutesOf } from "../src/site/sign-in.ts";
import type { Site } from "../src/site/site.ts";
import { openSite, siteOptions } from "../src/site/start.ts";
import { type CommonSetting, createSwitches } from "../src/site/switches.ts";
import { type SiteState, type SiteWorld, siteParts, siteState, zeroSiteCounters } from "../src/site/world.ts";
import { csrfOf, OPENING_MS, type Page } from "./shopper.ts";

const LOGIN = "alex";
const PASSWORD = "correct-practice-horse";

/** The smallest site there is: a sign-in, and a door behind it. */
async function openSmall(factor: FactorKind) {
  const clock = { nowMs: OPENING_MS };
  const options = { clock: () => clock.nowMs, seed: "second-factor" };
  const common = siteOptions(options);
  const switches = createSwitches<CommonSetting>();
  const state: SiteState = { ...siteState(), counters: zeroSiteCounters() };
  const world: SiteWorld = { ...common, ...siteParts(common), cookie: "small", faults: switches, state };
  const site: Site<SiteWorld> = {
    signInPath: "/in",
    home: { href: "/", link: "Home" },
    apiSignedIn: () => false,
    refuseApi: (error) => json(400, { error }),
    signInPage: () => page(200, "in"),
    notice: (_world, _exchange, notice) => page(notice.status, notice.title),
    countSubmit: () => {},
    routes: [
      ...signInRoutesOf<SiteWorld>({
        path: "/in",
        title: "Small",
        factor,
        signOutPath: "/out",
        loginField: "login",
        login: () => LOGIN,
        wrong: "No.",
        signIn: (w, exchange, { status, problem }) =>
          page(status, html`${csrfField(csrfToken(w, exchange.sid))}<p>First. ${problem}</p>`.markup),
        verify: (w, exchange, { status, problem, challenge }) =>
          page(
            status,
            html`${csrfField(csrfToken(w, exchange.sid))}<p>Second. ${problem}</p><b>${
              challenge.kind === "push" ? challenge.number : challenge.kind === "email_code" ? challenge.sentTo : ""
            }</b>`.markup,
          ),
        stale: () => page(403, "stale"),
      }),
      {
        method: "GET",
        path: "/",
        access: "anyone",
        handle: (w, exchange) => (isSignedIn(w, exchange) ? page(200, "Inside") : redirect(302, "/in")),
      },
    ],
  };
  const control = siteControl({
    title: "small",
    world,
    switches,
    problemWith: () => undefined,
    counters: () => ({ ...world.state.counters }),
    endSession: () => world.state.sessions.clear(),
    reset: () => {},
  });
  const opened = await openSite(options, common, {
    answer: (request, callers) => dispatch(site, world, request, callers),
    answerControl: (request) =>
      answerPort({ control, problemWith: () => undefined, withDefaults: (body) => body, more: {} }, request),
    control,
  });
  const browser = () => browserAt(opened.origin);
  return { ...opened, world, clock, browser, ...browser() };
}

/** One browser: keeps its cookie, follows nothing. */
function browserAt(origin: string) {
  let cookie = "";
  const send = async (path: string, init: RequestInit = {}): Promise<Page> => {
    const answer = await fetch(`${origin}${path}`, { ...init, redirect: "manual", headers: { cookie } });
    cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const submit = async (path: string, fields: Readonly<Record<string, string>>) =>
    send(path, { method: "POST", body: new URLSearchParams({ csrf: csrfOf((await send(path)).text), ...fields }) });
  return {
    send,
    submit,
    password: () => submit("/in", { login: LOGIN, password: PASSWORD }),
    inside: async () => (await send("/")).status === 200,
  };
}

let small: Awaited<ReturnType<typeof openSmall>>;
afterEach(() => small.close());

describe("a code that comes by mail", () => {
  test("MFA-2 the newest mail's code opens the account, once", async () => {
    small = await openSmall("email_code");
    expect((await small.password()).status).toBe(303);
    expect(await small.inside()).toBe(false);
    const { text } = await small.send("/in/verify");
    expect(text).toContain("<b>a***@practice.example</b>");
    const [mail] = small.control.mailbox();
    expect(mail).toMatchObject({ to: "alex@practice.example", subject: "Your code for Small" });
    expect(mail?.code).toMatch(/^\d{6}$/);
    expect(text).not.toContain(mail?.code);
    await small.password();
    const [old = "", code = ""] = small.control.mailbox().map((each) => each.code);
    expect(old).not.toBe(code);
    expect(small.control.mailedCode()).toBe(code);
    expect((await small.submit("/in/verify", { code: old })).status).toBe(401);
    expect((await small.submit("/in/verify", { code })).headers.get("location")).toBe("/");
    expect(await small.inside()).toBe(true);
    expect(small.control.mailedCode()).toBeUndefined();
    expect(small.control.counters()).toMatchObject({ signIns: 1, signInFailures: 1 });
  });

  test("MFA-2 three wrong codes end it: the right one opens nothing any more", async () => {
    small = await openSmall("email_code");
    await small.password();
    const code = small.control.mailedCode() ?? "";
    const wrong = code === "000000" ? "111111" : "000000";
    expect((await small.submit("/in/verify", { code: wrong })).text).toContain("Second. That code is not right");
    await small.submit("/in/verify", { code: wrong });
    expect((await small.submit("/in/verify", { code: wrong })).text).toContain("First. The code was wrong too often");
    expect((await small.submit("/in/verify", { code })).headers.get("location")).toBe("/in");
    expect(await small.inside()).toBe(false);
  });

  test("MFA-2 a code opens the sign-in that it was sent for, and no other", async () => {
    small = await openSmall("email_code");
    await small.password();
    const other = small.browser();
    await other.password();
    const code = small.control.mailedCode() ?? "";
    expect((await small.submit("/in/verify", { code })).text).toContain("First. That took too long");
    expect(await small.inside()).toBe(false);
    expect((await other.submit("/in/verify", { code })).headers.get("location")).toBe("/");
  });

  test("MFA-2 ten minutes later it opens nothing", async () => {
    small = await openSmall("email_code");
    await small.password();
    const code = small.control.mailedCode() ?? "";
    small.clock.nowMs += 600_000;
    expect(small.control.mailedCode()).toBeUndefined();
    expect((await small.submit("/in/verify", { code })).headers.get("location")).toBe("/in");
    expect(await small.inside()).toBe(false);
  });
});

describe("a question on the phone", () => {
  const shown = async (): Promise<string> => /<b>(\d\d)<\/b>/.exec((await small.send("/in/verify")).text)?.[1] ?? "";
  const stands = async (): Promise<unknown> => JSON.parse((await small.send("/in/verify/state")).text);

  test("MFA-2 the same number on the phone opens the account, and nothing before it", async () => {
    small = await openSmall("push");
    await small.password();
    const number = await shown();
    expect(small.control.phone()?.choices).toContain(number);
    expect(new Set(small.control.phone()?.choices).size).toBe(3);
    expect(await stands()).toEqual({ state: "waiting" });
    expect((await small.submit("/in/verify", {})).text).toContain("has not been answered yet");
    expect(await small.inside()).toBe(false);
    expect(small.control.answerPhone(number)).toBe(true);
    expect(await stands()).toEqual({ state: "answered" });
    expect(await small.inside()).toBe(false);
    expect((await small.submit("/in/verify", {})).headers.get("location")).toBe("/");
    expect(await small.inside()).toBe(true);
    expect(small.control.answerPhone(number)).toBe(false);
    expect(small.control.counters()).toMatchObject({ signIns: 1, signInFailures: 0 });
  });

  test.each(["wrong number", "not_me"])("MFA-2 %s refuses, and the right number is too late", async (answer) => {
    small = await openSmall("push");
    await small.password();
    const number = await shown();
    const other = small.control.phone()?.choices.find((choice) => choice !== number) ?? "";
    small.control.answerPhone(answer === "not_me" ? "not_me" : other);
    expect(small.control.answerPhone(number)).toBe(false);
    expect((await small.submit("/in/verify", {})).text).toContain("First. The sign-in was refused on your phone");
    expect(await small.inside()).toBe(false);
    expect(small.control.counters()).toMatchObject({ signIns: 0, signInFailures: 1 });
  });

  test("MFA-2 it lapses, and a new sign-in takes its place on the phone", async () => {
    small = await openSmall("push");
    await small.password();
    const first = await shown();
    small.clock.nowMs += 120_000;
    expect(small.control.phone()).toBeUndefined();
    expect(small.control.answerPhone(first)).toBe(false);
    expect(await stands()).toEqual({ state: "lapsed" });
    expect((await small.submit("/in/verify", {})).headers.get("location")).toBe("/in");
    await small.password();
    expect(small.control.answerPhone(await shown())).toBe(true);
    expect((await small.submit("/in/verify", {})).headers.get("location")).toBe("/");
  });

  test("what the phone said yes to opens nothing for somebody else who knows the password", async () => {
    small = await openSmall("push");
    await small.password();
    const number = await shown();
    small.control.answerPhone(number);
    // Another sign-in begins before the first has come back: its question is the one on the phone now.
    const other = small.browser();
    await other.password();
    expect((await other.submit("/in/verify", {})).text).toContain("has not been answered yet");
    expect(await other.inside()).toBe(false);
    small.control.answerPhone(small.control.shownNumber() ?? "");
    expect((await small.submit("/in/verify", {})).text).toContain("First. That took too long");
    expect(await small.inside()).toBe(false);
    expect((await other.submit("/in/verify", {})).headers.get("location")).toBe("/");
  });

  test("the switchboard has a button for each number, and the control port answers as well", async () => {
    small = await openSmall("push");
    expect(phoneActs(small.control)).toEqual([]);
    await small.password();
    const number = await shown();
    expect(phoneActs(small.control).map(({ id }) => id)).toEqual([
      ...(small.control.phone()?.choices ?? []).map((choice) => `phone:${choice}`),
      "phone:not_me",
    ]);
    expect(phoneAct(small.control, "phone:999")).toBe(false);
    const port = (path: string, init?: RequestInit) => fetch(`${small.controlOrigin}${path}`, init);
    expect(await (await port("/phone")).json()).toMatchObject({
      question: { choices: expect.arrayContaining([number]) },
    });
    const body = JSON.stringify({ answer: number });
    expect((await port("/phone", { method: "POST", body })).status).toBe(200);
    expect((await port("/phone", { method: "POST", body })).status).toBe(409);
    expect(phoneAct(small.control, `phone:${number}`)).toBe(false);
    expect((await small.submit("/in/verify", {})).headers.get("location")).toBe("/");
  });

  test("the script that waits is the site's own, under the same policy", async () => {
    small = await openSmall("push");
    const script = await small.send("/in/wait.js");
    expect(script.headers.get("content-type")).toContain("javascript");
    expect(script.text).toContain("form[data-waits]");
  });
});

test.each(["totp", "email_code", "push"] as const)(
  "MFA-2 a challenge by %s is worth nothing at its end",
  async (kind) => {
    small = await openSmall(kind);
    const challenge = openChallenge(small.world, kind, "Small");
    small.control.answerPhone(small.control.shownNumber() ?? "");
    small.clock.nowMs = challenge.expiresAtMs;
    const code = kind === "totp" ? small.currentCode() : (small.control.mailbox()[0]?.code ?? "");
    expect(prove(small.world, challenge, code)).toBe("lapsed");
    small.clock.nowMs -= 1;
    expect(prove(small.world, challenge, kind === "totp" ? small.currentCode() : code)).toBe("proved");
  },
);
