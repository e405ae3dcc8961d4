import type { Json } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fill, templateProblem } from "./template.ts";

const scope = {
  parameters: { sku: "TL-200", quantity: 2 },
  answer: {
    currency: "EUR",
    total: "49.90",
    number: 12.5,
    lines: [
      { sku: "A", price: "1.00" },
      { sku: "B", price: "2.50" },
    ],
    "a/b": { "m~n": 7 },
    nothing: null,
  },
};
const filled = (template: Json) => fill(template, scope);

describe("a template", () => {
  it.each<[string, Json, Json]>([
    ["stands for itself", { a: [1, "x", null, true] }, { a: [1, "x", null, true] }],
    ["takes a value", { $from: "/parameters/sku" }, "TL-200"],
    ["reads escaped steps (RFC 6901)", { $from: "/answer/a~1b/m~0n" }, 7],
    ["takes an entry of a list", { $from: "/answer/lines/1/sku" }, "B"],
    ["takes null for a value", { $from: "/answer/nothing" }, null],
    ["has another way out", { $from: "/answer/none", $else: { $from: "/parameters/quantity" } }, 2],
    ["leaves a member out", { a: { $maybe: "/answer/none" }, b: { $maybe: "/parameters/sku" } }, { b: "TL-200" }],
    ["leaves an item out", [1, { $maybe: "/answer/none" }], [1]],
    ["goes over a list", { $each: "/answer/lines", $as: { $from: "/item/sku" } }, ["A", "B"]],
    ["puts a list into a list", [{ $each: "/answer/lines", $as: { $from: "/item/sku" } }, "C"], ["A", "B", "C"]],
    ["reads an amount", { $minor: "/answer/total", $currency: "/answer/currency" }, 4990],
    ["reads an amount that is a number", { $minor: "/answer/number", $currency: "/answer/currency" }, 1250],
    ["knows a currency's digits", { $digits: "/answer/currency" }, 2],
    ["joins texts", { $text: ["no. ", { $from: "/parameters/quantity" }] }, "no. 2"],
    ["joins a list", { $text: [{ $each: "/answer/lines", $as: { $from: "/item/sku" } }], $between: ", " }, "A, B"],
  ])("%s", (_name, template, value) => {
    expect(templateProblem(template, ["parameters", "answer"])).toBeUndefined();
    expect(filled(template)).toEqual({ ok: true, value });
  });

  it.each<[string, Json, string]>([
    ["nothing there", { $from: "/answer/none" }, "missing"],
    ["nothing there, deep inside", { a: [{ b: { $from: "/answer/none" } }] }, "missing"],
    ["no list", { $each: "/answer/total", $as: 1 }, "unfit"],
    ["no currency", { $minor: "/answer/total", $currency: "/answer/total" }, "unfit"],
    ["no amount", { $minor: "/answer/lines", $currency: "/answer/currency" }, "unfit"],
    ["a text of an object", { $text: [{ $from: "/answer/lines/0" }] }, "unfit"],
    ["a fraction in a text", { $text: [{ $from: "/answer/number" }] }, "unfit"],
  ])("fails as a whole: %s", (_name, template, kind) => {
    expect(filled(template)).toMatchObject({ ok: false, reason: { kind } });
  });

  it("U55 reads no amount that it would have to round", () => {
    for (const total of ["49.905", 49.905, "1e3", "-1", "4,990.00", "49.90 USD", 1e21, "", "٤٩"])
      expect(fill({ $minor: "/t", $currency: "/c" }, { t: total, c: "EUR" }).ok, String(total)).toBe(false);
    expect(fill({ $minor: "/t", $currency: "/c" }, { t: "4990", c: "JPY" })).toEqual({ ok: true, value: 4990 });
  });

  it("never reaches beyond what is there", () => {
    for (const pointer of ["/answer/constructor", "/answer/__proto__", "/answer/lines/length", "/answer/lines/-1"])
      expect(filled({ $from: pointer }).ok, pointer).toBe(false);
  });

  it.each<[string, Json]>([
    ["an unknown form", { $eval: "1" }],
    ["a form with a stray member", { $from: "/answer", x: 1 }],
    ["a name that is not known here", { $from: "/secrets/token" }],
    ["an item outside a list", { $from: "/item/x" }],
    ["no pointer", { $from: "answer" }],
    ["a number for a pointer", { $from: 1 }],
    ["a broken escape", { $from: "/answer/~2" }],
    ["a form deep inside", { a: { $each: "/answer/lines", $as: { $nope: 1 } } }],
  ])("is refused when it is written: %s", (_name, template) => {
    expect(templateProblem(template, ["parameters", "answer"])).toEqual(expect.any(String));
  });

  it("never throws, whatever is filled into what", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (template, answer) => {
        fill(template as Json, { answer: answer as Json });
        templateProblem(template as Json, ["answer"]);
      }),
    );
  });
});
