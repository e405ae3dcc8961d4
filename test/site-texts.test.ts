import { practiceShop } from "@countersign/adapter-practice-shop";
import type { AnySiteEntry, CommitAdapter, Confirmation, Recognised, Site } from "@countersign/plugin";
import { verifyBundle } from "@countersign/profile";
import { assert, type JsonObject, parseJws } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { inStore, readyWorld } from "./support/world.ts";

/** What the shop's adapter says of its next order beside what the shop said. */
let said: Partial<Confirmation<unknown>> = {};

const shop: Site = { ...practiceShop, entries: practiceShop.entries.map(changed) };

function changed(entry: AnySiteEntry): AnySiteEntry {
  const operations = entry.operations.map((adapter) => {
    if (adapter.effect !== "commit") return adapter;
    const { recognise } = adapter as CommitAdapter<JsonObject>;
    return {
      ...adapter,
      recognise(...given: Parameters<typeof recognise>): Recognised<unknown> {
        const recognised = recognise.apply(adapter, given);
        return recognised.kind === "confirmed" ? { ...recognised, ...said } : recognised;
      },
    };
  });
  return { ...entry, operations } as AnySiteEntry;
}

let ready: Awaited<ReturnType<typeof readyWorld>>;
beforeAll(async () => {
  ready = await readyWorld({ shopSite: shop });
});
afterAll(() => ready.world.close());

async function buy(what: Partial<Confirmation<unknown>>) {
  said = what;
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  await ready.person.decide(await ready.person.approvalFor(taskId), "approved");
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  const { json: bundle } = await until(
    () => ready.person.get(`/tasks/${taskId}/bundle`),
    (reply) => reply.status === 200,
    "the bundle",
  );
  const { keys, issuer } = { keys: ready.world.gateway.core.keys, issuer: ready.world.issuer };
  const report = await verifyBundle(bundle, { pin: keys.pin, issuer });
  assert(report.ok, `the bundle verifies: ${JSON.stringify(report)}`);
  const parsed = parseJws(String(bundle["receipt"]));
  assert(parsed.ok, "a receipt is a JWS");
  const task = await inStore(ready.world.gateway, (db) =>
    db.selectFrom("task").select("review_at").where("task_id", "=", taskId).executeTakeFirstOrThrow(),
  );
  return { receipt: parsed.value.payload, notes: report.value.notes, review: task.review_at !== null };
}

describe("REC-1 whatever a site says, the outcome has its receipt and the log goes on", () => {
  it("a control character is shown by its mark", async () => {
    const { receipt } = await buy({ confirmation: "CX\t1" });
    expect(receipt).toMatchObject({ outcome: "succeeded", destination: { confirmation: "CX␉1" } });
  });

  it("a confirmation above the limit is left out, and the log says so", async () => {
    const { receipt } = await buy({ confirmation: "x".repeat(40 * 1024) });
    expect(receipt["destination"]).toEqual({ how: "the site's answer" });
    expect(ready.world.logLines.join("")).toContain("receipt.left_out");
  });

  it("a signer's name with a control character, and terms that are no record", async () => {
    const bytes = new TextEncoder().encode("{}");
    const record = { kind: "receipt", mediaType: "application/json", bytes, signatureChecked: false, by: "A\u0000B" };
    const { receipt } = await buy({ records: [record], observed: { total_minor: 4990, other: null } as never });
    expect(receipt["merchant_records"]).toMatchObject([{ by: "A␀B" }]);
  });

  it("APR-4 another currency than approved is flagged, and the person is asked to look at once", async () => {
    const plain = await buy({ confirmation: "CX-4" });
    expect([plain.notes.includes("terms_differ"), plain.review]).toEqual([false, false]);
    const other = await buy({ observed: { currency: "USD" } });
    expect(other.receipt).toMatchObject({ flags: ["terms_differ"], observed: { currency: "USD" } });
    expect(other.notes).toContain("terms_differ");
    expect(other.review).toBe(true);
  });
});

it("CON-1 an agent that is revoked takes its grants with it, and the log says so", async () => {
  const revoked = await ready.person.post(`/agents/${ready.agent.clientId}/revoke`);
  expect(revoked.status).toBe(200);
  const leaves = await until(
    () =>
      inStore(ready.world.gateway, (db) =>
        db.selectFrom("leaf").selectAll().where("kind", "=", "revocation").execute(),
      ),
    (rows) => rows.length > 0 && rows.every((row) => row.log_index !== null),
    "the revocation in the log",
  );
  expect(leaves.map((leaf) => JSON.parse(leaf.payload))).toMatchObject([{ what: "consent", ref: ready.consentRef }]);
});
