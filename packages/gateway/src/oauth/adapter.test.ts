import { afterEach, beforeEach, expect, test } from "vitest";
import { createRecords, type OAuthRecords } from "./adapter.ts";
import { acceptedClient } from "./clients.ts";
import { ANNA_AGENT, type Fixture, fixture } from "./fixture.ts";
import { sweepExpired } from "./records.ts";

let f: Fixture;
let records: OAuthRecords;
beforeEach(async () => {
  f = await fixture();
  records = createRecords({ store: f.store, sealer: f.sealer, now: () => f.clock.now, clientOf: acceptedClient });
});
afterEach(() => f.close());

const rows = () => f.store.db.selectFrom("oauth_record").selectAll().execute();

test("a record is found by id, uid and user code until it expires", async () => {
  const adapter = records.adapterFor("Session");
  const payload = { uid: "uid_1", userCode: "ABCD-EFGH", accountId: "psn_anna" };
  await adapter.upsert("id_1", payload, 60);
  expect(await adapter.find("id_1")).toEqual(payload);
  expect(await adapter.findByUid("uid_1")).toEqual(payload);
  expect(await adapter.findByUserCode("ABCD-EFGH")).toEqual(payload);
  expect(await records.adapterFor("Interaction").find("id_1")).toBeUndefined();
  f.clock.now += 59_999;
  expect(await adapter.find("id_1")).toEqual(payload);
  f.clock.now += 1;
  expect(await adapter.find("id_1")).toBeUndefined();
  expect(await adapter.findByUid("uid_1")).toBeUndefined();
  expect(await adapter.findByUserCode("ABCD-EFGH")).toBeUndefined();
});

test("AUT-4 ids are hashed and payloads sealed to their own row", async () => {
  const adapter = records.adapterFor("Session");
  await adapter.upsert("id_first", { uid: "uid_first", jti: "id_first" }, 60);
  await adapter.upsert("id_other", { uid: "uid_other", jti: "id_other" }, 60);
  for (const row of await rows()) {
    const text = [row.id, row.uid, row.grant_id, Buffer.from(row.sealed).toString("latin1")].join(" ");
    expect(text).not.toMatch(/id_first|id_other|uid_/);
  }
  const [first, other] = await rows();
  await f.store.db
    .updateTable("oauth_record")
    .set({ sealed: other?.sealed ?? new Uint8Array() })
    .where("id", "=", first?.id ?? "")
    .execute();
  await expect(Promise.all(["id_first", "id_other"].map((id) => adapter.find(id)))).rejects.toThrow();
});

test("one of many consumers wins, and writing the record again does not make it fresh", async () => {
  const adapter = records.adapterFor("AuthorizationCode");
  await adapter.upsert("code", { grantId: "g" }, 60);
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => adapter.consume("code")));
  const lost = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(lost).toHaveLength(5);
  for (const outcome of lost) expect(outcome.reason).toMatchObject({ error: "invalid_grant" });
  const consumed = Math.floor(f.clock.now / 1000);
  expect(await adapter.find("code")).toEqual({ grantId: "g", consumed });
  await adapter.upsert("code", { grantId: "g" }, 60);
  expect(await adapter.find("code")).toEqual({ grantId: "g", consumed });
  await expect(adapter.consume("code")).rejects.toMatchObject({ error: "invalid_grant" });
});

test("what has expired or never was cannot be consumed", async () => {
  const adapter = records.adapterFor("AuthorizationCode");
  await adapter.upsert("code", {}, 60);
  f.clock.now += 60_000;
  await expect(adapter.consume("code")).rejects.toMatchObject({ error: "invalid_grant" });
  await expect(adapter.consume("nothing")).rejects.toMatchObject({ error: "invalid_grant" });
});

test("a proof is taken once while it lives", async () => {
  const adapter = records.adapterFor("ReplayDetection");
  const tries = await Promise.allSettled(Array.from({ length: 4 }, () => adapter.upsert("proof", { iss: "a" }, 60)));
  expect(tries.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  await expect(adapter.upsert("proof", { iss: "a" }, 60)).rejects.toMatchObject({ error: "invalid_dpop_proof" });
  f.clock.now += 60_000;
  await adapter.upsert("proof", { iss: "a" }, 60);
});

test("revoking a grant takes every model's rows under it and no others", async () => {
  for (const model of ["AuthorizationCode", "RefreshToken", "DeviceCode"]) {
    await records.adapterFor(model).upsert(`${model}_1`, { grantId: "one" }, 60);
    await records.adapterFor(model).upsert(`${model}_2`, { grantId: "two" }, 60);
  }
  await records.adapterFor("RefreshToken").revokeByGrantId("one");
  expect(await rows()).toHaveLength(3);
  expect(await records.adapterFor("DeviceCode").find("DeviceCode_2")).toEqual({ grantId: "two" });
  await records.adapterFor("DeviceCode").destroy("DeviceCode_2");
  expect(await records.adapterFor("DeviceCode").find("DeviceCode_2")).toBeUndefined();
});

test("expired rows are swept, by themselves at a later write", async () => {
  const adapter = records.adapterFor("Session");
  await adapter.upsert("short", {}, 60);
  await adapter.upsert("long", {}, 3_600);
  await adapter.upsert("endless", {});
  f.clock.now += 60_000;
  expect(await sweepExpired(f.store.db, f.clock.now)).toBe(1);
  f.clock.now += 3_600_000;
  await adapter.upsert("new", {}, 60);
  expect(await rows()).toHaveLength(2);
});

test("AUT-2 clients are the accepted agents and cannot be written here", async () => {
  const clients = records.adapterFor("Client");
  expect(await clients.find(ANNA_AGENT.clientId)).toMatchObject({
    client_id: ANNA_AGENT.clientId,
    token_endpoint_auth_method: "none",
    grant_types: ["refresh_token"],
  });
  await f.store.db.updateTable("agent").set({ state: "revoked" }).execute();
  expect(await clients.find(ANNA_AGENT.clientId)).toBeUndefined();
  await expect(clients.upsert("agt_new", {})).rejects.toThrow();
});
