import { OPERATIONS } from "@countersign/profile";
import { assert, type JsonObject, secret } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { outcomeFlags } from "./charged.ts";
import { landedOf } from "./landed.ts";

const operation = OPERATIONS.find(({ id }) => id === "retail.order.submit");
assert(operation?.effect === "commit", "the catalogue has orders");
const terms = operation.example.terms as JsonObject;
const warnings: string[] = [];
const work = {
  operation,
  task: { task_id: "task_1" },
  core: { log: { debug() {}, info() {}, warn: (event: string) => void warnings.push(event), error() {} } },
} as unknown as Parameters<typeof landedOf>[0];

describe("AUT-4 what a site confirms", () => {
  const token = 'token-"of-the-session';
  const bytes = new TextEncoder().encode("{}");
  const record = { kind: "receipt", mediaType: "application/json", bytes, signatureChecked: false };

  it("holds none of the session's secrets: what does is left out, and the outcome stays", () => {
    const landed = landedOf(
      work,
      {
        result: operation.example.result,
        confirmation: `CX-1?session=${token}`,
        observed: { payee: `https://shop.example/?t=${token}`, lines: [{ title: token }], total_minor: 4990 },
        records: [{ ...record, by: token }, record],
      },
      "read_back",
      [secret(token)],
    );
    expect(landed).toEqual({
      result: operation.example.result,
      how: "read_back",
      observed: { total_minor: 4990 },
      withheld: ["payee", "lines"],
      records: [record],
    });
    expect(warnings).toEqual(["outcome.confirmation_withheld", "outcome.terms_withheld"]);
  });

  it("passes as it is where it holds none", () => {
    const confirmed = { result: operation.example.result, confirmation: "CX-1", observed: { payee: "shop.example" } };
    expect(landedOf(work, confirmed, "answer", [secret(token), secret("1")])).toEqual({
      ...confirmed,
      how: "answer",
      withheld: [],
      records: [],
    });
  });
});

describe("APR-4 an outcome that is not what was approved", () => {
  const flags = (observed: JsonObject, withheld: readonly string[] = []) =>
    outcomeFlags(operation, terms, observed, withheld);
  const total = Number(terms["total_minor"]);

  it.each<[string, JsonObject, readonly string[]]>([
    ["the same", terms, []],
    ["nothing said", {}, []],
    ["less", { total_minor: total - 1 }, []],
    ["more", { total_minor: total + 1 }, ["terms_exceeded"]],
    ["another currency", { currency: "USD", total_minor: total }, ["terms_differ"]],
    ["another payee", { payee: "other.example" }, ["terms_differ"]],
    ["more, in another currency", { currency: "USD", total_minor: total + 1 }, ["terms_exceeded", "terms_differ"]],
    ["a total in text", { total_minor: String(total) }, ["terms_differ"]],
    ["other lines", { lines: [] }, ["terms_differ"]],
    ["what no catalogue names", { order_page: "x" }, []],
  ])("%s", (_name, observed, expected) => {
    expect(flags(observed)).toEqual(expected);
  });

  it("a term that could not be kept is not the approved one", () => {
    expect(flags({}, ["payee"])).toEqual(["terms_differ"]);
    expect(flags({}, ["order_page"])).toEqual([]);
  });
});
