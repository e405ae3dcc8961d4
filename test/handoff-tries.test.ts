import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addHolder, newSignInLink } from "../packages/gateway/src/people/people.ts";
import { Person } from "./support/person.ts";
import { openWorld, type World } from "./support/world.ts";

const HOUR_MS = 3_600_000;
let world: World;
let person: Person;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  // The shop locks the account at the fifth wrong one.
  world.shop.control.reset();
  await anHourLater();
});

/** A session left alone for an hour is over. */
async function anHourLater(): Promise<void> {
  world.advance(HOUR_MS + 1);
  person = await Person.signIn(world);
}

async function begin(): Promise<string> {
  const begun = await person.post("/connections", { destination: "practice-shop", route: "http" });
  const ref = String(begun.json["continuation_ref"]);
  await person.post(`/continuations/${ref}/begin`);
  return ref;
}

const tryPassword = (ref: string, password: string) =>
  person.post(`/continuations/${ref}/form`, { values: { email: world.shop.user.email, password } });
const failures = () => world.shop.control.counters().signInFailures;

it("lock-out guard: four passwords an hour, whoever connects how often; warned before the last, stopped after it", async () => {
  const first = await begin();
  for (const at of [1, 2]) expect((await tryPassword(first, `wrong-${at}`)).json["tries"], `try ${at}`).toBe(undefined);
  expect((await tryPassword(first, "wrong-3")).json).toMatchObject({ kind: "refused", tries: { left: 1 } });
  // A fresh connection is no fresh start.
  const second = await begin();
  expect((await person.get(`/continuations/${second}`)).json["tries"]).toEqual({ left: 1 });
  expect((await tryPassword(second, "wrong-4")).json).toMatchObject({ kind: "refused", tries: { left: 0 } });
  expect(failures()).toBe(4);
  const stopped = await tryPassword(second, world.shop.user.password);
  expect(stopped.json).toEqual({ kind: "refused", tries: { left: 0, until: expect.stringMatching(/Z$/) } });
  expect(world.shop.control.counters().signIns).toBe(0);
  expect(failures(), "nothing has left").toBe(4);
  // What is told opens again when it says so.
  await anHourLater();
  const third = await begin();
  expect((await tryPassword(third, world.shop.user.password)).json["kind"]).toBe("more");
});

it("lock-out guard: twenty at once are four, and a verified sign-in makes its account's tries be forgotten", async () => {
  const ref = await begin();
  await Promise.all(Array.from({ length: 20 }, (_, at) => tryPassword(ref, `wrong-${at}`)));
  expect(failures()).toBe(4);
  await anHourLater();
  world.shop.control.reset();
  const again = await begin();
  for (const at of [1, 2, 3]) await tryPassword(again, `wrong-${at}`);
  expect((await tryPassword(again, world.shop.user.password)).json["kind"]).toBe("more");
  const done = await person.post(`/continuations/${again}/form`, { values: { code: world.shop.currentCode() } });
  expect(done.json["kind"]).toBe("done");
  const fresh = await begin();
  expect((await person.get(`/continuations/${fresh}`)).json["tries"]).toBe(undefined);
  expect((await tryPassword(fresh, "wrong")).json["tries"]).toBe(undefined);
});

it("lock-out guard: another person's tries are none of mine", async () => {
  const ref = await begin();
  for (const at of [1, 2, 3, 4]) await tryPassword(ref, `wrong-${at}`);
  const { core } = world.gateway;
  const link = await core.store.as("system", async () => newSignInLink(core, (await addHolder(core, "Bo")).personId));
  const other = await Person.withLink(world, link.reveal());
  const theirs = await other.post("/connections", { destination: "practice-shop", route: "http" });
  const view = await other.get(`/continuations/${String(theirs.json["continuation_ref"])}`);
  expect(view.json["tries"]).toBe(undefined);
});
