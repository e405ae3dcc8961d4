import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { makeDisclosure } from "@countersign/profile";
import { assert, digestOf, isJsonObject, type JsonObject } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { approvalView, ORDER_TERMS, SHIP_TO } from "../../test/fake/records.ts";
import { decisionOf } from "./decision.ts";
import { checkFaithful } from "./faithful.ts";

const view = await approvalView({ id: "act_1", expiresAt: "2026-11-30T10:15:00Z" });

/** The same record with a change, under a digest that fits it: only what is inside can give it away. */
async function redigested(change: JsonObject): Promise<ApprovalView> {
  const action = { ...view.action, ...change };
  return { ...view, action, action_digest: await digestOf(action) };
}

describe("APR-2 checkFaithful", () => {
  it("opens a record whose every digest it has recomputed", async () => {
    expect(await checkFaithful(view, "act_1")).toMatchObject({
      actionDigest: view.action_digest,
      personal: { ship_to: SHIP_TO },
    });
  });

  it("refuses a record that is not what its digest says", async () => {
    const cheaper = { ...view, action: { ...view.action, terms: { ...ORDER_TERMS, total_minor: 1 } } };
    expect(await checkFaithful(cheaper, "act_1")).toBeUndefined();
  });

  it("refuses terms that the display text of the record does not speak of", async () => {
    expect(
      await checkFaithful(await redigested({ terms: { ...ORDER_TERMS, total_minor: 1 } }), "act_1"),
    ).toBeUndefined();
  });

  it("refuses a meaning with other words than the record was shown with", async () => {
    const meaning = { ...view.meaning, question: "Win a prize?" };
    expect(await checkFaithful({ ...view, meaning }, "act_1")).toBeUndefined();
  });

  it("refuses another action's record, whatever address the page has", async () => {
    expect(await checkFaithful(view, "act_2")).toBeUndefined();
    expect(await checkFaithful({ ...view, task_id: "task_2" }, "act_1")).toBeUndefined();
  });

  it("refuses personal text that is not the record's own, withheld, given twice or unnamed", async () => {
    const salt = "CCCCCCCCCCCCCCCCCCCCCA";
    const other = (await makeDisclosure({ salt, name: "ship_to", value: "Mallory, elsewhere" })).disclosure;
    const unnamed = (await makeDisclosure({ salt, name: "extra", value: "x" })).disclosure;
    const [display = "", shipTo = ""] = view.disclosures;
    for (const disclosures of [
      [display, other],
      [display],
      [shipTo],
      [display, shipTo, shipTo],
      [display, shipTo, unnamed],
      [display, "not base64url!"],
    ]) {
      expect(await checkFaithful({ ...view, disclosures }, "act_1"), String(disclosures.length)).toBeUndefined();
    }
  });

  it("U27 refuses a record whose total is not the sum of its lines, though every digest fits", async () => {
    const dear = await approvalView({
      id: "act_1",
      expiresAt: "2026-11-30T10:15:00Z",
      terms: { ...ORDER_TERMS, total_minor: 4991 },
    });
    expect(await checkFaithful(dear, "act_1")).toBeUndefined();
  });

  it("refuses a record without terms or without its private digests", async () => {
    expect(await checkFaithful(await redigested({ terms: "cheap" }), "act_1")).toBeUndefined();
    expect(await checkFaithful(await redigested({ private: [] }), "act_1")).toBeUndefined();
  });
});

describe("decisionOf", () => {
  it("names the digests that the page computed itself, and no reason with an approval", async () => {
    const faithful = await checkFaithful(view, "act_1");
    assert(faithful !== undefined, "the record holds together");
    const hidden = view.action["private"];
    assert(hidden !== undefined && isJsonObject(hidden), "a record has private digests");
    expect(decisionOf({ ...view, action_digest: "another" }, faithful, "approved", "because")).toEqual({
      decision: "approved",
      action_digest: view.action_digest,
      surface: { version: "0.2.0", display_digest: hidden["display_text"] },
    });
  });

  it("makes no approval of a record that the page could not draw, but a denial", () => {
    expect(decisionOf(view, "mismatch", "approved", "")).toBeUndefined();
    expect(decisionOf(view, "mismatch", "denied", " odd ")).toMatchObject({ decision: "denied", reason: "odd" });
  });
});
