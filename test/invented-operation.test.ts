import { createServer, type Server } from "node:http";
import type { AnySiteEntry, CommitAdapter, Site } from "@countersign/plugin";
import type { CommitOperation } from "@countersign/profile";
import type { HttpSession, HttpSite } from "@countersign/route-http";
import { assert, type JsonObject, parseJson, secret } from "@countersign/wire";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { Agent, hoursAhead } from "./support/agent.ts";
import { Person } from "./support/person.ts";
import { openWorld, type World } from "./support/world.ts";

// An operation that nobody has thought of, at a site of a kind that nobody has thought of: one catalogue entry and one
// adapter, and nothing else of Countersign is touched (MAP-6).

const seatTerms = z.strictObject({ library: z.string(), seat: z.string(), from: z.string(), rules: z.string() });

const reserveSeat: CommitOperation = {
  id: "library.seat.reserve",
  title: "Reserve a reading-room seat",
  version: "1",
  effect: "commit",
  sensitivity: "ordinary",
  approval: "session",
  parameters: z.strictObject({ seat: z.string().max(20) }),
  terms: seatTerms,
  result: z.object({ reservation: z.string() }),
  meaning: {
    question: "Reserve this seat?",
    affirm: "Approve the reservation",
    receipt: ["seat", "from"],
    fields: [
      { member: "seat", label: "Seat", compare: "equal", show: "text", place: 1 },
      { member: "from", label: "From", compare: "equal", show: "instant", place: 2 },
      { member: "library", label: "Library", compare: "equal", show: "host", place: 3 },
      { member: "rules", label: "House rules", compare: "informative", show: "text", place: 50 },
    ],
    lists: [],
    personal: [],
  },
  contradictions: (asked, terms) => (asked["seat"] === terms["seat"] ? [] : ["seat"]),
  example: {
    parameters: { seat: "B12" },
    terms: { library: "library.example", seat: "B12", from: "2026-12-01T09:00:00Z", rules: "Quiet." },
    result: { reservation: "R-1" },
  },
};

const adapter: CommitAdapter<JsonObject, JsonObject, JsonObject, HttpSession> = {
  effect: "commit",
  operation: reserveSeat.id,
  commits: [{ method: "POST", path: "/reservations" }],
  async prepare(_ctx, session, params) {
    return {
      kind: "ready",
      state: { v: 1, seat: params["seat"] ?? "" },
      terms: await look(session, String(params["seat"])),
    };
  },
  async hold(_ctx, session, _record, state) {
    const exchange = await session.hold("/reservations", { method: "POST", body: { seat: state["seat"] ?? "" } });
    return { kind: "done", value: { exchange, fingerprint: { seat: state["seat"] ?? "" } } };
  },
  async observe(_ctx, session, _record, state) {
    return { kind: "done", value: { terms: await look(session, String(state["seat"])) } };
  },
  recognise(answer) {
    const body = parseJson(answer.body);
    const made =
      answer.status === 201 && body.ok ? z.object({ reservation: z.string() }).safeParse(body.value) : undefined;
    return made?.success
      ? { kind: "confirmed", confirmation: made.data.reservation, result: made.data }
      : { kind: "unknown" };
  },
  async readBack() {
    return { kind: "unclear", why: "not needed here" };
  },
};

async function look(session: HttpSession, seat: string): Promise<JsonObject> {
  const answer = await session.fetch(`/seats/${seat}`);
  assert(answer.kind === "answer", "the reader is signed in");
  return seatTerms.parse(answer.json);
}

const entry: HttpSite = {
  route: "http",
  signIn: {
    fields: [{ name: "card", label: "Library card", kind: "text" }],
    submit: async (_ctx, _http, values) => ({
      kind: "signed_in",
      material: { token: secret(`token-${values.get("card")?.reveal() ?? ""}`) },
    }),
  },
  identify: async () => ({ name: "Reader 7", details: [] }),
  operations: [adapter],
};
const library: Site = {
  id: "library",
  title: "City library",
  version: "library/1",
  entries: [entry as unknown as AnySiteEntry],
};

let site: Server;
let origin: string;
let world: World;
let reservations = 0;
let start = "2026-12-01T09:00:00Z";
let rules = "Quiet.";

beforeEach(async () => {
  site = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== "Bearer token-7") return answer(401, {});
    if (request.method === "POST") {
      reservations++;
      return answer(201, { reservation: `R-${reservations}` });
    }
    return answer(200, { library: new URL(origin).host, seat: (request.url ?? "").split("/")[2], from: start, rules });
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const address = site.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  origin = `http://127.0.0.1:${address.port}`;
  world = await openWorld({
    sites: [library],
    operations: [reserveSeat],
    destinations: [{ id: "library", site: "library", origin }],
  });
});
afterEach(async () => {
  await world.close();
  await new Promise((resolve) => site.close(resolve));
});

it("MAP-6 REQ-3 APR-4 an invented operation is asked, compared, shown and done with no change to gateway or renderer", async () => {
  const person = await Person.signIn(world);
  const agent = await Agent.join(world, person);
  const begun = await person.post("/connections", { destination: "library", route: "http" });
  const ref = String(begun.json["continuation_ref"]);
  await person.post(`/continuations/${ref}/begin`);
  await person.post(`/continuations/${ref}/form`, { values: { card: "7" } });
  const accountRef = String(begun.json["account_ref"]);
  const consentRef = await agent.askGrant({ destination: "library", operations: [reserveSeat.id] });
  await person.grant(consentRef, accountRef);
  const submitted = await agent.post("/v1/tasks", {
    profile: "sophtron.agentic-web-execution/0.1",
    request_id: "r1",
    idempotency_key: "k1",
    account_ref: accountRef,
    consent_ref: consentRef,
    operation: reserveSeat.id,
    parameters: { seat: "B12" },
    expires_at: hoursAhead(1),
  });
  const taskId = String(submitted.json["task_id"]);
  await agent.reaches(taskId, "approval_required");
  const first = await person.approvalFor(taskId);
  expect(first["meaning"]).toEqual(reserveSeat.meaning);
  start = "2026-12-01T10:00:00Z";
  rules = "Quiet, please.";
  await person.decide(first, "approved");
  await agent.reaches(taskId, "approval_required");
  expect(reservations).toBe(0);
  const second = await person.approvalFor(taskId);
  expect(second["action"]).toMatchObject({ terms: { from: "2026-12-01T10:00:00Z" } });
  rules = "Quiet, please!";
  await person.decide(second, "approved");
  expect(await agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  expect(reservations).toBe(1);
  const story = await person.get(`/tasks/${taskId}`);
  expect(story.json["receipt"]).toMatchObject({
    observed: { seat: "B12", from: "2026-12-01T10:00:00Z" },
    destination: { confirmation: "R-1" },
  });
});
