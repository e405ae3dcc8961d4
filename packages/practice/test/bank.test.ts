import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  BANK_CLIENT_ID,
  CUSTOMER_NUMBER,
  type PracticeBank,
  startPracticeBank,
  startPracticeWorld,
} from "../src/index.ts";
import { csrfOf } from "./shopper.ts";

const BACK = "http://localhost:4600/returned";
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

let bank: PracticeBank;
let cookie = "";
beforeEach(async () => {
  cookie = "";
  bank = await startPracticeBank({ seed: "tests" });
});
afterEach(() => bank.close());

async function send(path: string, fields?: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, bank.origin), {
    redirect: "manual",
    headers: { ...(cookie === "" ? {} : { cookie }), ...headers },
    ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }),
  });
  cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
  return { status: response.status, text: await response.text(), location: response.headers.get("location") ?? "" };
}
const submit = async (page: string, path: string, fields: Readonly<Record<string, string>>) =>
  send(path, { csrf: csrfOf((await send(page)).text), ...fields });

async function logIn(): Promise<void> {
  await submit("/login", "/login", { customer_number: CUSTOMER_NUMBER, password: bank.user.password });
  await submit("/login/verify", "/login/verify", { code: bank.currentCode() });
}

const asked = (change: Readonly<Record<string, string>> = {}) => ({
  response_type: "code",
  client_id: BANK_CLIENT_ID,
  redirect_uri: BACK,
  scope: "accounts transfers",
  state: "s1",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  ...change,
});

/** Lets the program in and gives the code that it gets. */
async function allow(change: Readonly<Record<string, string>> = {}): Promise<string> {
  const query = new URLSearchParams(asked(change));
  const answer = await submit(`/oauth/authorize?${query}`, "/oauth/authorize", { ...asked(change), answer: "allow" });
  return new URL(answer.location).searchParams.get("code") ?? "";
}

async function token(fields: Readonly<Record<string, string>>) {
  const response = await fetch(`${bank.origin}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ client_id: BANK_CLIENT_ID, ...fields }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}
const redeem = (code: string, verifier = VERIFIER) =>
  token({ grant_type: "authorization_code", code, redirect_uri: BACK, code_verifier: verifier });
const renew = (refresh: string) => token({ grant_type: "refresh_token", refresh_token: refresh });
const api = async (path: string, access: string, init: RequestInit = {}) => {
  const headers = { authorization: `Bearer ${access}`, ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(`${bank.origin}/api/v1${path}`, { ...init, headers });
  return { status: response.status, body: await response.json() };
};

describe("letting a program in", () => {
  test("goes by the log-in with both factors, the person's yes, and the program's own proof", async () => {
    expect((await send(`/oauth/authorize?${new URLSearchParams(asked())}`)).location).toMatch(/^\/login\?next=/);
    await logIn();
    const code = await allow();
    expect((await redeem(code, "w".repeat(43))).body).toEqual({ error: "invalid_grant" });
    // A code is good for one try, the wrong one too.
    expect((await redeem(code)).body).toEqual({ error: "invalid_grant" });
    const { body } = await redeem(await allow());
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 300, scope: "accounts transfers" });
    expect((await api("/me", body["access_token"] ?? "")).body).toMatchObject({ customer_number: CUSTOMER_NUMBER });
  });

  test.each([
    { client_id: "somebody" },
    { redirect_uri: "https://evil.example/returned" },
    { redirect_uri: "http://evil.example/returned" },
    { scope: "everything" },
    { code_challenge_method: "plain" },
    { response_type: "token" },
  ])("a request with %o is shown to the person and sent nowhere", async (change) => {
    await logIn();
    const answer = await send(`/oauth/authorize?${new URLSearchParams(asked(change))}`);
    expect(answer.status).toBe(400);
    expect(answer.location).toBe("");
  });

  test("U48 refresh tokens rotate, and one that comes again ends the whole sign-in", async () => {
    await logIn();
    const first = (await redeem(await allow())).body;
    const second = (await renew(first["refresh_token"] ?? "")).body;
    expect((await api("/accounts", second["access_token"] ?? "")).status).toBe(200);
    expect((await renew(first["refresh_token"] ?? "")).body).toEqual({ error: "invalid_grant" });
    expect((await api("/accounts", second["access_token"] ?? "")).status).toBe(401);
    expect((await renew(second["refresh_token"] ?? "")).status).toBe(400);
    expect(bank.control.counters()).toMatchObject({ refreshes: 1, refreshReuses: 1 });
  });

  test("what the person did not allow is refused by its scope", async () => {
    await logIn();
    const { body } = await redeem(await allow({ scope: "accounts" }));
    const quote = await api("/transfer-quotes", body["access_token"] ?? "", { method: "POST", body: "{}" });
    expect([quote.status, quote.body.type]).toEqual([403, "urn:quayside:insufficient_scope"]);
  });
});

describe("a transfer by the API", () => {
  async function quoted() {
    await logIn();
    const access = (await redeem(await allow())).body["access_token"] ?? "";
    const wish = { from: "ba-everyday", payee: "py-jo", amount: "12.50", own_reference: "CS-1" };
    const quote = await api("/transfer-quotes", access, { method: "POST", body: JSON.stringify(wish) });
    expect(quote.body).toMatchObject({ fee: { value: "0.50", currency: "EUR" }, total: { value: "13.00" } });
    const send_ = (headers: Record<string, string>) =>
      api("/transfers", access, { method: "POST", headers, body: JSON.stringify({ quote_id: quote.body.quote_id }) });
    return { access, send: send_ };
  }

  test("needs a key of its own; its repeat is the first one's answer and one transfer", async () => {
    const { access, send: post } = await quoted();
    expect((await post({})).body.type).toBe("urn:quayside:idempotency_key_missing");
    const first = await post({ "idempotency-key": "k1" });
    expect(first).toMatchObject({ status: 201, body: { status: "executed", own_reference: "CS-1" } });
    expect((await post({ "idempotency-key": "k1" })).body).toEqual(first.body);
    expect((await post({ "idempotency-key": "k2" })).status).toBe(410);
    expect((await api("/transfers?own_reference=CS-1", access)).body.transfers).toHaveLength(1);
    expect(bank.control.counters()).toMatchObject({ submits: 4, transfers: 1 });
  });

  test("leaves the account with its fee, and the account's balance is the sum of its rows", async () => {
    const { access, send: post } = await quoted();
    const before = (await api("/balances", access)).body.balances[0].booked.value;
    await post({ "idempotency-key": "k1" });
    const now = (await api("/balances", access)).body.balances[0].booked.value;
    expect(Math.round((Number(before) - Number(now)) * 100)).toBe(1300);
    const rows = (await api("/accounts/ba-everyday/transactions", access)).body.transactions;
    expect(rows.find((row: { status: string }) => row.status === "booked").balance_after.value).toBe(now);
  });
});

test("the switchboard works both sites, and only from its own page", async () => {
  const world = await startPracticeWorld();
  try {
    const page = await (await fetch(world.board)).text();
    expect(page).toContain("Harbour &amp; Hill");
    expect(page).toContain("Quayside Bank");
    const post = (fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
      fetch(world.board, { method: "POST", redirect: "manual", headers, body: new URLSearchParams(fields) });
    const wanted = { csrf: csrfOf(page), site: "bank", switch: "fee", on: "yes" };
    expect((await post({ ...wanted, csrf: "other" })).status).toBe(403);
    expect((await post(wanted, { origin: "https://evil.example" })).status).toBe(403);
    expect(world.bank.control.switches()).toEqual([]);
    expect((await post(wanted)).status).toBe(303);
    expect(world.bank.control.switches()).toEqual([{ switch: "fee", deltaMinor: 150 }]);
    expect((await post({ csrf: csrfOf(page), site: "bank", act: "reset" })).status).toBe(303);
    expect(world.bank.control.switches()).toEqual([]);
    expect((await post({ csrf: csrfOf(page), site: "bank", act: "toString" })).status).toBe(404);
  } finally {
    await world.close();
  }
});
