import type { ActionRecord } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { destinationKey } from "./destination-key.ts";

const record = (change: Partial<ActionRecord>) =>
  ({
    issuer: "https://gateway.example",
    task_id: "task_1",
    operation: "retail.order.submit",
    action_id: "act_1",
    nonce: "n1",
    ...change,
  }) as ActionRecord;

describe("U03 the destination's idempotency key", () => {
  it("is one for every attempt and every record of a task", async () => {
    const key = await destinationKey(record({}));
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await destinationKey(record({ action_id: "act_2", nonce: "n2" }))).toBe(key);
  });

  it.each([{ task_id: "task_2" }, { issuer: "https://other.example" }, { operation: "subscription.cancel" }])(
    "is another for %o",
    async (change) => {
      expect(await destinationKey(record(change))).not.toBe(await destinationKey(record({})));
    },
  );
});
