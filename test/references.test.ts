import { practiceSubscriptions } from "@countersign/adapter-practice-subscriptions";
import { type PracticeSubscriptions, startPracticeSubscriptions } from "@countersign/practice";
import { createHttpRoute } from "@countersign/route-http";
import { assert, formatInstant, instant, type JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Agent } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { filesBelow, leaks } from "./support/leaks.ts";
import { Person } from "./support/person.ts";
import { STAND_IN, standIn } from "./support/stand-in.ts";
import { inStore, openWorld, type World } from "./support/world.ts";

// What a person enters at the gateway so that a request can name it: where letters go, and how a site reaches them.

const STREET = "77 Lindenblossom Walk";
const MAIL = "alex.anew@elsewhere.example";
const PHONE = "+353861239876";
const HOME = { full_name: "Alex Example", address_1: STREET, city: "Berlin", country: "DE" };
const CONTACT = "account.contact.change";
const ADDRESS = "account.address.change";

const other = standIn();
let world: World;
let service: PracticeSubscriptions;
let person: Person;
let agent: Agent;
let account = "";
let consent = "";

beforeAll(async () => {
  service = await startPracticeSubscriptions();
  world = await openWorld({
    sites: [practiceSubscriptions, other.site],
    destinations: [{ id: "lantern", site: practiceSubscriptions.id, origin: service.origin }, STAND_IN],
    routes: () => [createHttpRoute(), other.route],
    logLevel: "debug",
  });
  person = await Person.signIn(world);
  agent = await Agent.join(world, person);
  const begun = await person.post("/connections", { destination: "lantern", route: "http" });
  const ref = String(begun.json["continuation_ref"]);
  account = String(begun.json["account_ref"]);
  await person.post(`/continuations/${ref}/begin`);
  const { email, password } = service.user;
  await person.post(`/continuations/${ref}/form`, { values: { email, password } });
  await person.post(`/continuations/${ref}/form`, { values: { code: service.currentCode() } });
  const day = formatInstant(instant(Date.now() + 24 * 60 * 60_000));
  consent = await agent.askGrant({ destination: "lantern", operations: [ADDRESS, CONTACT], expires_at: day });
  assert((await person.grant(consent, account)).status === 200, "the grant is given");
});
afterAll(async () => {
  await world?.close();
  await service?.close();
});

const enter = (kind: string, label: string, value: JsonObject) =>
  person.post(`/accounts/${account}/details`, { kind, label, value });
const kept = async (kind: string, label: string, value: JsonObject) =>
  String((await enter(kind, label, value)).json["ref"]);

let asked = 0;
async function ask(operation: string, parameters: JsonObject): Promise<string> {
  asked += 1;
  const answer = await agent.post("/v1/tasks", {
    profile: "sophtron.agentic-web-execution/0.1",
    request_id: `req_references_${asked}`,
    idempotency_key: `key_references_${asked}`,
    account_ref: account,
    consent_ref: consent,
    operation,
    parameters,
    expires_at: formatInstant(instant(Date.now() + 60 * 60_000)),
  });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.json["task_id"]);
}
const stateOf = (taskId: string) =>
  inStore(world.gateway, (db) =>
    db.selectFrom("task").select(["state", "reason"]).where("task_id", "=", taskId).executeTakeFirstOrThrow(),
  );
const reaches = (taskId: string, state: string) =>
  until(
    () => stateOf(taskId),
    (now) => now.state === state,
    `${taskId}: ${state}`,
  );

describe("REQ-2 what is entered is checked strictly", () => {
  it.each([
    ["contact", "Mail", { email: "alex@localhost" }, "/value/email", "email"],
    ["contact", "Mail", { email: "Alex <alex@mail.example>" }, "/value/email", "email"],
    ["contact", "Phone", { phone: "086 123 4567" }, "/value/phone", "phone_plus"],
    ["contact", "Phone", { phone: "+353 86 1234567" }, "/value/phone", "phone_digits"],
    ["contact", "Both", { email: MAIL, phone: PHONE }, "/value/email", "one_of_both"],
    ["contact", `Mine ${MAIL}`, { email: MAIL }, "/label", "label_tells"],
    ["address", "Home", { ...HOME, country: "Germany" }, "/value/country", "country"],
    ["address", "Home", { ...HOME, city: "" }, "/value/city", "missing"],
    ["address", STREET, HOME, "/label", "label_tells"],
  ] as const)("%s named %s: %o", async (kind, label, value, pointer, rule) => {
    const refused = await enter(kind, label, value);
    expect(refused.status).toBe(400);
    expect(refused.json["problems"]).toContainEqual({ pointer, rule });
    for (const text of Object.values(value)) if (text !== "") expect(refused.text).not.toContain(text);
  });

  it("of no other kind, and by nobody else's session", async () => {
    expect((await enter("instrument", "Card", { number: "4111" })).status).toBe(400);
    const answer = await agent.post(`/trusted/v1/accounts/${account}/details`, {
      kind: "contact",
      label: "x",
      value: {},
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });
});

it("REQ-4 an agent is told a reference and its name; the person's page lists and removes it", async () => {
  const ref = await kept("contact", "Holiday phone", { phone: PHONE });
  const listed = await agent.get(`/v1/accounts/${account}/capabilities`);
  expect(listed.json["references"]).toContainEqual({ ref, kind: "contact", label: "Holiday phone" });
  expect(listed.text).not.toContain(PHONE);
  const { accounts } = (await person.get("/accounts")).json as { accounts: { details: JsonObject[] }[] };
  expect(accounts[0]?.details).toContainEqual({ ref, kind: "contact", label: "Holiday phone", own: true });
  expect((await person.post(`/accounts/${account}/details/${ref}/remove`)).status).toBe(204);
  // A task that names what is gone, or what is of another kind, does nothing at the site.
  await reaches(await ask(CONTACT, { contact_use: "phone", contact_ref: ref }), "failed");
  const home = await kept("address", "Second home", HOME);
  await reaches(await ask(CONTACT, { contact_use: "email", contact_ref: home }), "failed");
  const phone = await kept("contact", "Other phone", { phone: PHONE });
  await reaches(await ask(CONTACT, { contact_use: "email", contact_ref: phone }), "failed");
  await reaches(await ask(ADDRESS, { address_use: "billing", address_ref: phone }), "failed");
  expect(service.control.counters()).toMatchObject({ submits: 0 });
});

it("APR-1 APR-3 the person sees the new contact in full, and only a passkey approves it; the agent sees neither", async () => {
  const ref = await kept("contact", "Work mail", { email: MAIL });
  const taskId = await ask(CONTACT, { contact_use: "email", contact_ref: ref });
  await reaches(taskId, "approval_required");
  const view = await person.approvalFor(taskId);
  expect(disclosed(view)).toEqual(expect.arrayContaining([MAIL, service.user.email]));
  expect(JSON.stringify(view["action"])).not.toContain(MAIL);
  expect(JSON.stringify(view["meaning"])).toContain("Whoever reads it can sign in as you");
  const decided = await person.decide(view, "approved");
  expect(decided.json["reason"]).toBe("passkey_required");
  expect(service.control.counters()).toMatchObject({ submits: 0 });
  const seen = await agent.get(`/v1/tasks/${taskId}`);
  expect(seen.text).not.toContain(MAIL);
});

it("REQ-4 no site puts a contact or an address among a person's references", async () => {
  const planted = { email: "mallory@evil.example" };
  other.who = {
    name: "Alex",
    details: [
      { kind: "contact", siteKey: "c1", label: "Your mail", value: planted },
      { kind: "address", siteKey: "a1", label: "Your home", value: HOME },
      { kind: "fulfillment", siteKey: "f1", label: "Delivery", value: {} },
    ],
  };
  const begun = await person.post("/connections", { destination: STAND_IN.id, route: "browser" });
  const ref = String(begun.json["continuation_ref"]);
  await person.post(`/continuations/${ref}/begin`);
  await person.post(`/continuations/${ref}/complete`);
  const { accounts } = (await person.get("/accounts")).json as {
    accounts: { account_ref: string; details: JsonObject[] }[];
  };
  const seen = accounts.find((each) => each.account_ref === begun.json["account_ref"]);
  expect(seen?.details).toMatchObject([{ kind: "fulfillment", label: "Delivery", own: false }]);
});

it("REQ-4 what was entered stands nowhere in the clear: not in the store, not in a log", async () => {
  await kept("address", "First home", HOME);
  const places = new Map<string, string | Uint8Array>([
    ["the log", world.logLines.join("\n")],
    ...filesBelow(world.dataDir),
  ]);
  expect(leaks({ street: STREET, mail: MAIL, phone: PHONE }, places)).toEqual([]);
  expect(leaks({ account }, places)).not.toEqual([]);
});

/** Every text that the approval page is given to show. */
function disclosed(view: JsonObject): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === "string") {
      found.push(value);
      const decoded = Buffer.from(value, "base64url").toString("utf8");
      try {
        walk(JSON.parse(decoded));
      } catch {
        // It is no encoded disclosure.
      }
    } else if (Array.isArray(value)) for (const each of value) walk(each);
    else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) walk(each);
  };
  walk(view["disclosures"]);
  return found;
}
