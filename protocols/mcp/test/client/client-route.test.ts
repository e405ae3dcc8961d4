import { createEgress, createGuard } from "@countersign/gateway";
import { type CallingSession, SiteTrouble } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readCallAnswer } from "../../src/client/answer.ts";
import { type Bench, openBench } from "./bench.ts";
import { toolDigests } from "./upstream/bindings.ts";
import { startUpstream, type Upstream } from "./upstream/server.ts";

let upstream: Upstream;
let bench: Bench;
let digests: Readonly<Record<string, string>>;
beforeEach(async () => {
  upstream = await startUpstream();
  bench = await openBench(upstream);
  digests = await toolDigests();
  await bench.signIn();
});
afterEach(() => upstream.close());

const bound = (name: string) => ({ name, digest: digests[name] ?? "" });
const wish = { sku: "TL-200", quantity: 1, address: "adr_1" };
const sent = (tool: string) => upstream.seen.filter((one) => one.tool === tool).length;

async function quote(session: CallingSession): Promise<string> {
  const answer = await session.call(bound("quote"), wish);
  assert(answer.kind === "answer", `a quote: ${JSON.stringify(answer)}`);
  return (answer.value as { quote_id: string }).quote_id;
}

it.each([false, true])(
  "a held call leaves nothing until the gateway sends it, once (older revision: %s)",
  async (legacy) => {
    upstream.legacy = legacy;
    const session = await bench.open();
    const held = await session.hold(bound("order"), { quote_id: await quote(session), reference: "r1" });
    assert(held.kind === "done", `it is held: ${JSON.stringify(held)}`);
    expect(sent("order")).toBe(0);
    // The terms can still be looked at while it is held.
    expect(await session.call(bound("orders"), { limit: 5 })).toMatchObject({ kind: "answer" });
    const egress = createEgress(createGuard({ namedOrigins: new Set([upstream.origin]) }));
    const answer = await egress.sendOnce(held.value.request, () => true);
    assert(answer.ok, "it is answered");
    await held.value.answer(answer.value);
    expect(readCallAnswer(answer.value)).toMatchObject({ kind: "answer", value: { order: { reference: "r1" } } });
    expect(sent("order")).toBe(1);
    await session.close();
    expect(sent("order")).toBe(1);
    expect(upstream.shop.orders).toHaveLength(1);
    expect(upstream.seen.some((one) => one.method === "notifications/cancelled")).toBe(false);
    // PLG-7 who is calling is said with every request; with the order the gateway says it, last of all.
    for (const { method, tool, raw } of upstream.seen.filter((one) => one.raw.includes("\n/mcp\n")))
      expect(raw.includes("x-badge"), method).toBe(tool !== "order");
  },
);

it("what is held and given up leaves nothing", async () => {
  const session = await bench.open();
  const held = await session.hold(bound("order"), { quote_id: await quote(session), reference: "r1" });
  assert(held.kind === "done", "it is held");
  await held.value.abandon();
  await session.close();
  expect(sent("order")).toBe(0);
});

it("a tool that is bound as a commit cannot be called, whatever it is called as", async () => {
  const session = await bench.open();
  const answer = await session.call(bound("order"), { quote_id: await quote(session), reference: "r1" });
  // The first of two guards says so; the door behind it would refuse it too (door.test.ts).
  expect(answer).toEqual({ kind: "gap", why: "order commits and cannot be read by" });
  expect(sent("order")).toBe(0);
  await session.close();
});

it("PLG-6 another digest is refused before anything is sent, for a read and for a commit", async () => {
  const session = await bench.open();
  const other = { name: "quote", digest: digests["orders"] ?? "" };
  expect(await session.call(other, wish)).toMatchObject({ kind: "gap", why: expect.stringContaining("not the one") });
  expect(await session.hold({ name: "order", digest: other.digest }, {})).toMatchObject({ kind: "gap" });
  expect(await session.call({ name: "none", digest: other.digest }, {})).toMatchObject({ kind: "gap" });
  expect([sent("quote"), sent("order")]).toEqual([0, 0]);
  await session.close();
});

it("a read is made again once, and then it is trouble", async () => {
  const session = await bench.open();
  upstream.fault("tools/call:quote", "middle");
  expect(await session.call(bound("quote"), wish)).toMatchObject({ kind: "answer" });
  for (const fault of ["before", "garbage"] as const) upstream.fault("tools/call:quote", fault);
  await expect(session.call(bound("quote"), wish)).rejects.toThrow(SiteTrouble);
  await session.close();
});

it("U48 twenty calls at the end of a token, in twenty sessions: one renewal, kept before it is used, nobody asked", async () => {
  const sessions = await Promise.all(Array.from({ length: 20 }, () => bench.open()));
  upstream.oauth.revokeAccess();
  const answers = await Promise.all(sessions.map((session) => session.call(bound("quote"), wish)));
  expect(answers.every(({ kind }) => kind === "answer")).toBe(true);
  expect([upstream.oauth.refreshed, upstream.oauth.reused]).toEqual([1, 0]);
  expect(bench.writes).toHaveLength(1);
  await Promise.all(sessions.map((session) => session.close()));
});

it("U48 two processes at the end of a token: the second takes what the first has kept", async () => {
  const other = await openBench(upstream);
  // Two routes are two processes; what is kept, and the row of whose turn it is, they share.
  const { route } = other;
  const first = await bench.open();
  const opened = await route.open(bench.ctx, bench.destination, bench.kept ?? (await bench.signIn()), {
    read: async () => bench.kept,
    async write(next) {
      bench.kept = next;
      bench.writes.push(next);
      return true;
    },
  });
  assert(opened.ok, "it opens");
  upstream.oauth.revokeAccess();
  const second = opened.value.session as CallingSession;
  const answers = await Promise.all([first.call(bound("quote"), wish), second.call(bound("quote"), wish)]);
  expect(answers.map(({ kind }) => kind)).toEqual(["answer", "answer"]);
  expect([upstream.oauth.refreshed, upstream.oauth.reused, bench.writes.length]).toEqual([1, 0, 1]);
  await Promise.all([first.close(), opened.value.close()]);
});

it("U42 a renewal for an account that was disconnected meanwhile is used for nothing", async () => {
  const session = await bench.open();
  upstream.oauth.revokeAccess();
  upstream.oauth.beforeRefresh = async () => {
    bench.kept = undefined;
  };
  expect(await session.call(bound("quote"), wish)).toEqual({ kind: "sign_in" });
  expect(sent("quote")).toBe(0);
  await session.close();
});

it("a refresh token that is worth nothing asks the person once", async () => {
  const session = await bench.open();
  upstream.oauth.revokeAll();
  expect(await session.call(bound("quote"), wish)).toEqual({ kind: "sign_in" });
  await session.close();
});

it("a token is renewed in time before a commit, so that its end never meets it", async () => {
  bench.aheadMs = 3_600_000 - 120_000;
  const session = await bench.open();
  const held = await session.hold(bound("order"), { quote_id: await quote(session), reference: "r1" });
  assert(held.kind === "done", "it is held");
  expect(upstream.oauth.refreshed).toBe(1);
  const token = held.value.request.headers.find(([name]) => name === "authorization")?.[1].reveal();
  expect(upstream.oauth.tokens().map((one) => `Bearer ${one}`)).toContain(token);
  await held.value.abandon();
  await session.close();
});

it("a server that goes on asking for what was given is a gap, not a third sign-in", async () => {
  upstream.needs.set("quote", "shop");
  const scopes = upstream.oauth.scopesOf.bind(upstream.oauth);
  upstream.oauth.scopesOf = (token) => (scopes(token) === undefined ? undefined : []);
  const session = await bench.open();
  expect(await session.call(bound("quote"), wish)).toMatchObject({ kind: "gap" });
  await session.close();
});

it("AUT-4 neither a token nor the material shows itself", async () => {
  const session = await bench.open();
  const held = await session.hold(bound("order"), { quote_id: await quote(session), reference: "r1" });
  const shown = JSON.stringify([held, bench.kept, session]);
  for (const token of upstream.oauth.tokens()) expect(shown).not.toContain(token);
  if (held.kind === "done") await held.value.abandon();
  await session.close();
});
