import { practiceShop } from "@countersign/adapter-practice-shop";
import type { AnySiteEntry, CommitAdapter, Site } from "@countersign/plugin";
import { OPERATIONS } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hoursAhead, orderRequest } from "./support/agent.ts";
import { inStore, readyWorld, type WorldOptions } from "./support/world.ts";

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
beforeEach(async () => {
  ready = await readyWorld();
});
afterEach(() => ready.world.close());

const DAY_MS = 24 * 60 * 60_000;

async function pending(change: JsonObject = {}): Promise<{ readonly taskId: string; readonly view: JsonObject }> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return { taskId, view: await ready.person.approvalFor(taskId) };
}

async function bought(change: JsonObject = {}): Promise<string> {
  const { taskId, view } = await pending(change);
  await ready.person.decide(view, "approved");
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  return taskId;
}

describe("APR-1 an earlier equal order is mentioned", () => {
  it("with its state, time and amount, by an equal wish or by the same item", async () => {
    const first = await bought();
    const again = await pending();
    expect(again.view["earlier"]).toMatchObject([
      { task_id: first, state: "succeeded", amount: { total_minor: 4990, currency: "EUR" } },
    ]);
    await ready.person.decide(again.view, "denied");
    const otherLimit = await pending({ parameters: { max_total_minor: 5999 }, expires_at: hoursAhead(3) });
    expect(otherLimit.view["earlier"]).toMatchObject([{ task_id: first }]);
    const decided = await ready.person.decide(otherLimit.view, "denied");
    expect(decided.json["earlier"], "what is settled needs no warning").toBeUndefined();
  });

  it("not one of more than thirty days ago", async () => {
    const first = await bought();
    await inStore(ready.world.gateway, (db) =>
      db
        .updateTable("task")
        .set({ updated_at: Date.now() - 30 * DAY_MS - 1 })
        .where("task_id", "=", first)
        .execute(),
    );
    expect((await pending()).view["earlier"]).toBeUndefined();
  });

  it("not one that was refused, or is of another item", async () => {
    const refused = await pending();
    await ready.person.decide(refused.view, "denied");
    expect((await pending()).view["earlier"]).toBeUndefined();
    const other = await readyWorld();
    await ready.world.close();
    ready = other;
    await bought({ parameters: { item_ref: "WB-750-SAGE" } });
    expect((await pending()).view["earlier"]).toBeUndefined();
  });

  it("one whose outcome is unknown is mentioned as such", async () => {
    const first = await bought();
    await inStore(ready.world.gateway, (db) =>
      db.updateTable("task").set({ state: "outcome_unknown", due_at: null }).where("task_id", "=", first).execute(),
    );
    const other = await pending({ parameters: { max_total_minor: 5999 }, expires_at: hoursAhead(3) });
    expect(other.view["earlier"]).toMatchObject([{ task_id: first, state: "outcome_unknown" }]);
  });
});

describe("APR-1 what no page could show", () => {
  it("U27 a total that is not the sum of its lines fails its validation, though the operation itself sees nothing wrong", async () => {
    const [order, shop] = [
      withoutOwnCheck(),
      shopWhere((terms) => ({ ...terms, total_minor: Number(terms["total_minor"]) - 1 })),
    ];
    await reopen({ catalogue: order, shopSite: shop });
    await failsUnasked();
  });

  it("U30 a title that escapes make too long to disclose fails its validation, and nothing breaks", async () => {
    const title = "\u00ad\u034f".repeat(2_000);
    const lines = (terms: JsonObject) => (terms["lines"] as JsonObject[]).map((line) => ({ ...line, title }));
    await reopen({ shopSite: shopWhere((terms) => ({ ...terms, lines: lines(terms), note: title.slice(0, 3_000) })) });
    await failsUnasked();
  });

  async function reopen(options: WorldOptions): Promise<void> {
    await ready.world.close();
    ready = await readyWorld(options);
  }

  async function failsUnasked(): Promise<void> {
    const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
    const task = await ready.agent.reaches(String(submitted.json["task_id"]), "approval_required");
    expect(task).toMatchObject({ state: "failed", reason: "terms_inconsistent" });
    expect((await ready.person.get("/inbox")).text).not.toContain('"approval"');
  }

  function withoutOwnCheck(): NonNullable<WorldOptions["catalogue"]> {
    return OPERATIONS.map((each) => (each.effect === "commit" ? { ...each, contradictions: () => [] } : each));
  }

  /** The practice shop, whose terms the adapter reads otherwise. */
  function shopWhere(read: (terms: JsonObject) => JsonObject): Site {
    const entries = practiceShop.entries.map((entry) => ({
      ...entry,
      operations: entry.operations.map((adapter) => {
        if (adapter.effect !== "commit") return adapter;
        const { prepare } = adapter as CommitAdapter<JsonObject>;
        return {
          ...adapter,
          async prepare(...given: Parameters<typeof prepare>) {
            const prepared = await prepare.apply(adapter, given);
            return prepared.kind === "ready" ? { ...prepared, terms: read(prepared.terms as JsonObject) } : prepared;
          },
        };
      }),
    }));
    return { ...practiceShop, entries: entries as unknown as readonly AnySiteEntry[] };
  }
});

describe("APR-6 the clock of a countdown is the gateway's", () => {
  it("each answer of the trusted interface carries the time that deadlines are judged by", async () => {
    ready.world.advance(3 * DAY_MS);
    const reply = await ready.person.get("/session");
    const told = Date.parse(String(reply.headers["date"]));
    expect(Math.abs(told - (Date.now() + 3 * DAY_MS))).toBeLessThan(5_000);
  });
});
