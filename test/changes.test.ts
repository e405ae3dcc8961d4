import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { practiceBoard } from "../packages/countersign/src/demo/practice-board.ts";
import { addHolder, newSignInLink } from "../packages/gateway/src/people/people.ts";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { Person } from "./support/person.ts";
import { openWorld, readyWorld } from "./support/world.ts";

const STREAMS_MAX = 6;

let ready: Awaited<ReturnType<typeof readyWorld>>;

beforeAll(async () => {
  ready = await readyWorld();
});
afterAll(async () => {
  await ready?.world.close();
});

interface Stream {
  readonly status: number;
  readonly type: string;
  text: string;
  closed: boolean;
  readonly close: () => void;
}

/** Opens the stream as a page does, and keeps every byte that comes. */
function open(cookie: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Stream> {
  const url = new URL("/trusted/v1/changes", ready.world.issuer);
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method, headers: { cookie, "sec-fetch-site": "same-origin", ...headers } },
      (answer) => {
        const stream: Stream = {
          status: answer.statusCode ?? 0,
          type: answer.headers["content-type"] ?? "",
          text: "",
          closed: false,
          close: () => call.destroy(),
        };
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => {
          stream.text += part;
        });
        answer.on("close", () => {
          stream.closed = true;
        });
        answer.on("error", () => {});
        resolve(stream);
      },
    );
    call.on("error", reject);
    call.end();
  });
}

const hears = (stream: Stream, fits: (text: string) => boolean, what: string) =>
  until(async () => stream.text, fits, what);

it("a page hears that something changed, and nothing about what", async () => {
  const { world, person, agent, accountRef, consentRef, fulfillmentRef } = ready;
  const stream = await open(person.cookie);
  expect(stream.status).toBe(200);
  expect(stream.type).toContain("text/event-stream");
  await hears(stream, (text) => text.includes("event: hello"), "hello");

  await agent.askGrant({ destination: "practice-shop", operations: ["retail.orders.list"] });
  await hears(stream, (text) => text.includes('"consents"'), "the request for a grant");

  const submitted = await agent.post("/v1/tasks", orderRequest({ accountRef, consentRef, fulfillmentRef }));
  const taskId = String(submitted.json["task_id"]);
  await agent.reaches(taskId, "approval_required");
  await hears(stream, (text) => text.includes('"tasks"'), "the task");

  // Kinds and heartbeats: not a reference, not a name, not a state.
  const lines = stream.text.split("\n").filter((line) => line !== "");
  const allowed =
    /^(retry: \d+|event: (hello|changed)|data: \{\}|data: \{"kinds":\["(tasks|consents|accounts|agents)"(,"(tasks|consents|accounts|agents)")*\]\}|: still here)$/;
  for (const line of lines) expect(line).toMatch(allowed);
  expect(stream.text).not.toContain(taskId);

  const view = await person.approvalFor(taskId);
  await person.decide(view, "denied");
  stream.close();
  expect(world.logLines.join("\n")).not.toContain("changes.look_failed");
});

it("U50 the stream is the person's own: no session, an agent's token, another site's page and HEAD get none", async () => {
  const { person, agent, world } = ready;
  expect((await open("")).status).toBe(401);
  expect((await open(person.cookie, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await open(person.cookie, { origin: "https://evil.example" })).status).toBe(403);
  expect((await open(person.cookie, { authorization: `Bearer ${agent.token}` })).status).toBe(403);
  const head = await open(person.cookie, {}, "HEAD");
  expect(head.status).toBe(404);
  expect(world.gateway.address.port).toBeGreaterThan(0);
});

it("signing out ends the stream at once, and a session has only so many", async () => {
  const { world } = ready;
  const other = await Person.signIn(world);
  const streams = await Promise.all(Array.from({ length: STREAMS_MAX }, () => open(other.cookie)));
  expect(streams.map((s) => s.status)).toEqual(Array.from({ length: STREAMS_MAX }, () => 200));
  expect((await open(other.cookie)).status).toBe(429);
  // Another session of the same person is not in the way.
  const mine = await open(ready.person.cookie);
  expect(mine.status).toBe(200);
  await other.post("/session/end");
  for (const stream of streams) {
    await until(
      async () => stream.closed,
      (closed) => closed,
      "the end of the stream",
    );
    expect(stream.text).toContain("event: ended");
  }
  expect(mine.closed).toBe(false);
  mine.close();
});

it("the practice board is a demonstration's alone: here there is no such route", async () => {
  const { person } = ready;
  expect((await person.get("/session")).json["practice"]).toBeUndefined();
  expect((await person.get("/practice")).status).toBe(404);
  expect((await person.post("/practice", { act: "reset" })).status).toBe(404);
});

it("a demonstration says that it is one, and shows the codes of its practice person", async () => {
  const world = await openWorld({ practice: practiceBoard });
  try {
    const person = await Person.signIn(world);
    expect((await person.get("/session")).json["practice"]).toBe(true);
    expect((await person.get("/practice")).json["sign_in_code"]).toBe(world.shop.currentCode());
  } finally {
    await world.close();
  }
});

it("CON-4 a page lists receipts, who an agent is and when it was seen, and what was added is removed again", async () => {
  const { person, agent, accountRef } = ready;
  const listed = await agent.post("/v1/tasks", {
    ...orderRequest(ready, { operation: "retail.orders.list" }),
    parameters: {},
  });
  await agent.reaches(String(listed.json["task_id"]), "succeeded");
  const receipts = await until(
    () => person.get("/receipts"),
    (reply) => reply.text.includes(String(listed.json["task_id"])),
    "the receipt",
  );
  expect(receipts.json["receipts"]).toMatchObject([{ outcome: "succeeded", flagged: false }, {}]);
  const agents = await person.get("/agents");
  expect((agents.json["agents"] as object[])[0]).toMatchObject({ last_seen_at: expect.stringMatching(/^20/) });

  const added = await person.post(`/accounts/${accountRef}/details`, {
    kind: "fulfillment",
    label: "Holiday home",
    value: { full_name: "A", address_1: "B", city: "C", country: "DE" },
  });
  const ref = String(added.json["ref"]);
  const details = async () => {
    const accounts = (await person.get("/accounts")).json["accounts"] as { account_ref: string; details: object[] }[];
    return (accounts.find((a) => a.account_ref === accountRef)?.details ?? []) as { ref: string; own: boolean }[];
  };
  expect(await details()).toContainEqual({ ref, kind: "fulfillment", label: "Holiday home", own: true });
  const fromSite = (await details()).find((d) => !d.own)?.ref ?? "";
  expect((await person.post(`/accounts/${accountRef}/details/${fromSite}/remove`)).status).toBe(404);
  const stranger = await Person.withLink(ready.world, (await strangersLink()).reveal());
  expect((await stranger.post(`/accounts/${accountRef}/details/${ref}/remove`)).status).toBe(404);
  expect((await stranger.get("/receipts")).json["receipts"]).toEqual([]);
  expect((await person.post(`/accounts/${accountRef}/details/${ref}/remove`)).status).toBe(204);
  expect((await details()).map((d) => d.ref)).not.toContain(ref);
});

async function strangersLink() {
  const { core } = ready.world.gateway;
  return core.store.as("system", async () => newSignInLink(core, (await addHolder(core, "Bo")).personId));
}
