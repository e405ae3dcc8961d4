import type { AnySiteEntry, Ctx, Destination } from "@countersign/plugin";
import { assert, instant, type Secret, secret } from "@countersign/wire";
import { beforeEach, describe, expect, it } from "vitest";
import { type ApiKeySignIn, createHttpRoute, type HttpSession, type HttpSite } from "../src/index.ts";

const KEY = "abc_12345678";
const COMMIT = { method: "POST", path: "/api/payments" } as const;
const signIn: ApiKeySignIn = {
  kind: "api_key",
  header: "x-power-key",
  label: "API key",
  form: { pattern: /abc_[0-9a-z]{8}/, rule: "A key begins with abc_ and has 8 more signs." },
};

let asked: Request[];
let logged: string[];
let taken: boolean;
let answers: "yes" | "no";
beforeEach(() => {
  asked = [];
  logged = [];
  taken = true;
  answers = "yes";
});

function ctx(): Ctx {
  const log = (event: string, fields?: object) => void logged.push(JSON.stringify({ event, ...fields }));
  const known: Partial<Ctx> = {
    now: () => instant(Date.parse("2026-11-30T12:00:00Z")),
    log: { debug: log, info: log, warn: log, error: log },
    withIdentity: async (request) => request,
    fetch: async (request) => {
      asked.push(request);
      if (answers === "no") throw new Error(`no connection for ${request.headers.get("x-power-key")}`);
      return Response.json({ name: "Alex" }, { status: taken ? 200 : 401 });
    },
  };
  return known as Ctx;
}

function destination(key: ApiKeySignIn = signIn): Destination {
  const entry: HttpSite = {
    route: "http",
    signIn: key,
    async identify(_ctx, session) {
      const me = await session.fetch("/api/me");
      return me.kind === "answer" && me.status === 200 ? { name: "Alex", details: [] } : undefined;
    },
    operations: [],
  };
  const kept: AnySiteEntry = entry;
  return {
    id: "power",
    title: "Power",
    origin: "https://power.example",
    alsoOrigins: [],
    entry: kept,
    commits: [COMMIT],
  };
}

const tries = { take: () => Promise.reject(new Error("the gateway counts the tries of a form itself")) };

async function form(key: ApiKeySignIn = signIn) {
  const begun = await createHttpRoute().beginSignIn(ctx(), destination(key), tries);
  assert(begun.ok && begun.value.mode === "form", "a form");
  return begun.value;
}
const typed = (text: string): ReadonlyMap<string, Secret<string>> => new Map([["api_key", secret(text)]]);

async function session(): Promise<HttpSession> {
  const answer = await (await form()).submit(typed(KEY));
  assert(answer.kind === "done", "the key is taken");
  const opened = await createHttpRoute().open(ctx(), destination(), answer.verified.material);
  assert(opened.ok, "the session opens");
  expect((await opened.value.secrets()).map((each) => each.reveal())).toEqual([KEY]);
  asked = [];
  return opened.value.session as HttpSession;
}

describe("signing in by a key of the site's", () => {
  it("is one masked field; the key is believed once the site has said whose account it opens", async () => {
    const begun = await form();
    expect(begun.fields).toEqual([{ name: "api_key", label: "API key", kind: "password" }]);
    const answer = await begun.submit(typed(` ${KEY} `));
    assert(answer.kind === "done", "the key is taken");
    expect(answer.verified.identity).toEqual({ name: "Alex", details: [] });
    expect(answer.verified.material.reveal()).toBe(`{"v":3,"key":"${KEY}"}`);
    expect(asked.map((each) => [each.url, each.headers.get("x-power-key"), each.headers.get("authorization")])).toEqual(
      [["https://power.example/api/me", KEY, null]],
    );
  });

  it("a key of another form never leaves, and the rule is named", async () => {
    const answer = await (await form()).submit(typed("hunter2 hunter2"));
    expect(answer).toMatchObject({ kind: "more", message: signIn.form?.rule, fields: [{ name: "api_key" }] });
    expect(asked).toEqual([]);
  });

  it("U44 a key that the site does not take is asked for again, and none is kept", async () => {
    taken = false;
    const answer = await (await form()).submit(typed(KEY));
    expect(answer).toMatchObject({ kind: "more", message: expect.stringContaining("does not take this key") });
  });

  it("a site that does not answer is no wrong key", async () => {
    answers = "no";
    expect(await (await form()).submit(typed(KEY))).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("does not answer"),
    });
  });

  it("a header that cannot carry a key is refused before anything is asked for", async () => {
    await expect(form({ ...signIn, header: "cookie" })).rejects.toThrow(/another meaning/);
    await expect(form({ ...signIn, header: "X-Key" })).rejects.toThrow(/lower-case/);
  });
});

describe("a session with a key", () => {
  it("AUT-4 the key is in its header and nowhere else, in a read and in a held commit", async () => {
    const open = await session();
    await open.fetch("/api/bills", { headers: { "x-power-key": "the adapter's", accept: "application/json" } });
    expect(asked[0]?.headers.get("x-power-key")).toBe(KEY);
    expect(asked[0]?.url).toBe("https://power.example/api/bills");
    const held = await open.hold("/api/payments", { body: { bill: "b1" } });
    const { headers, body, url } = held.request;
    expect(headers.filter(([, value]) => value.reveal().includes(KEY)).map(([name]) => name)).toEqual(["x-power-key"]);
    expect(headers.map(([name]) => name)).not.toContain("authorization");
    expect(url + new TextDecoder().decode(body.reveal())).not.toContain(KEY);
    expect(JSON.stringify(held)).not.toContain(KEY);
  });

  it("an adapter does not put the credential in itself", async () => {
    const open = await session();
    await expect(open.hold("/api/payments", { headers: { "X-Power-Key": "mine" } })).rejects.toThrow(
      /route's to put in/,
    );
  });

  it("MFA-1 a key that was revoked at the site asks for the person", async () => {
    const open = await session();
    taken = false;
    expect(await open.fetch("/api/bills")).toEqual({ kind: "signed_out" });
    expect(asked).toHaveLength(1);
  });

  it("AUT-4 neither the log nor an error holds it", async () => {
    const open = await session();
    answers = "no";
    const error = await open.fetch("/api/bills").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "SiteTrouble" });
    expect(`${(error as Error).stack}`).not.toContain(KEY);
    expect(logged.join("\n")).not.toContain(KEY);
  });

  it.each([
    ["a token of a form", { v: 1, token: "t0ken" }],
    ["tokens of an OAuth server", { v: 2, family: "f", token: "t0ken" }],
    ["a cookie", { v: 4, name: "n", value: "t0ken", path: "/" }],
    ["an empty key", { v: 3, key: "" }],
  ])("U45 %s is no key", async (_, kept) => {
    const opened = await createHttpRoute().open(ctx(), destination(), secret(JSON.stringify(kept)));
    expect(opened).toEqual({ ok: false, reason: "sign_in" });
    expect(asked).toEqual([]);
  });
});
