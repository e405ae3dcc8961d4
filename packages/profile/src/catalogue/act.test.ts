import type { JsonObject } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { observedAct, requestedAct } from "./act.ts";
import { OPERATIONS } from "./catalogue.ts";
import type { CommitOperation } from "./model.ts";
import { retailOrderSubmit } from "./operations/retail.order.submit.ts";
import { subscriptionCancel } from "./operations/subscription.cancel.ts";

const asked = retailOrderSubmit.example.parameters;
const terms = retailOrderSubmit.example.terms ?? {};
const told = <T>(value: T) => ({ kind: "told", value });

describe("CON-3 what a limit can be about", () => {
  it("an order's request tells its maximum and item, and its payee later", () => {
    expect(requestedAct(retailOrderSubmit, asked)).toEqual({
      amount: told({ minor: 5500, currency: "EUR" }),
      payee: { kind: "later" },
      items: told(["TL-200"]),
    });
  });

  it("an order's terms tell all three; delivery and fees are no items", () => {
    expect(observedAct(retailOrderSubmit, terms)).toEqual({
      amount: told({ minor: 4990, currency: "EUR" }),
      payee: told("shop.example"),
      items: told(["TL-200"]),
    });
  });

  it("a cancellation costs nothing and is about its subscription", () => {
    expect(observedAct(subscriptionCancel, subscriptionCancel.example.terms ?? {})).toEqual({
      amount: { kind: "none" },
      payee: told("shop.example"),
      items: told(["membership"]),
    });
  });

  it.each<[string, JsonObject, "amount" | "payee" | "items"]>([
    ["no total", { total_minor: null }, "amount"],
    ["a total in text", { total_minor: "4990" }, "amount"],
    ["a negative total", { total_minor: -1 }, "amount"],
    ["a broken total", { total_minor: 49.9 }, "amount"],
    ["no currency", { currency: null }, "amount"],
    ["no payee", { payee: null }, "payee"],
    ["lines that are no list", { lines: "TL-200" }, "items"],
    ["lines that are no objects", { lines: ["TL-200"] }, "items"],
    ["no line that is an item", { lines: [{ kind: "fee", ref: "TL-200" }] }, "items"],
    ["an item without its name", { lines: [{ kind: "item", ref: 7 }] }, "items"],
  ])("%s cannot be read", (_name, change, member) => {
    expect(observedAct(retailOrderSubmit, { ...terms, ...change })[member]).toEqual({ kind: "unreadable" });
  });

  it("what an operation does not declare cannot be judged; what it says that it has not is none", () => {
    const { limits: _limits, ceiling: _ceiling, ...bare } = retailOrderSubmit;
    const unreadable = { kind: "unreadable" };
    expect(observedAct(bare, terms)).toEqual({ amount: unreadable, payee: unreadable, items: unreadable });
    const without: CommitOperation = { ...retailOrderSubmit, limits: { payee: "none", items: "none" } };
    expect(observedAct(without, terms)).toMatchObject({ payee: { kind: "none" }, items: { kind: "none" } });
    expect(requestedAct(without, asked)).toMatchObject({ payee: { kind: "none" }, items: { kind: "none" } });
  });

  it("what is declared about money that no ceiling bounds: none leaves, or nobody can say how much will", () => {
    const { ceiling: _ceiling, ...bare } = retailOrderSubmit;
    const declared = (amount: "none" | "open"): CommitOperation => ({ ...bare, limits: { ...bare.limits, amount } });
    expect(observedAct(declared("none"), terms).amount).toEqual({ kind: "none" });
    expect(requestedAct(declared("none"), asked).amount).toEqual({ kind: "none" });
    expect(observedAct(declared("open"), terms).amount).toEqual({ kind: "unreadable" });
    // What has a ceiling is judged by it, whatever else is declared.
    const bounded: CommitOperation = { ...retailOrderSubmit, limits: { amount: "none" } };
    expect(observedAct(bounded, terms).amount).toEqual(told({ minor: 4990, currency: "EUR" }));
  });

  it.each(OPERATIONS.filter((o): o is CommitOperation => o.effect === "commit").map((o) => [o.id, o] as const))(
    "%s: its example can be judged in every way, from its request and its terms",
    (_id, operation) => {
      const acts = [
        requestedAct(operation, operation.example.parameters),
        observedAct(operation, operation.example.terms ?? {}),
      ];
      const open = operation.limits?.amount === "open";
      for (const { amount, payee, items } of acts) {
        expect(amount.kind === "unreadable").toBe(open);
        for (const one of [payee, items]) expect(one.kind).not.toBe("unreadable");
      }
    },
  );
});
