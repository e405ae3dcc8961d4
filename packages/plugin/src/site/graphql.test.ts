import { describe, expect, it } from "vitest";
import { asksDocument } from "./graphql.ts";

const READ = "query Cart { activeOrder { code } }";
const asks = (body: unknown) => asksDocument(typeof body === "string" ? body : JSON.stringify(body), [READ]);

describe("a GraphQL request that commits nothing", () => {
  it("is a declared document, with whatever variables", () => {
    expect(asks({ query: READ })).toBe(true);
    expect(asks({ query: READ, variables: { code: "X" } })).toBe(true);
  });

  it.each<[string, unknown]>([
    ["another document", { query: "mutation { addPaymentToOrder { code } }" }],
    ["a declared one with something more", { query: `${READ} mutation Pay { addPaymentToOrder { code } }` }],
    ["a choice of operation", { query: READ, operationName: "Pay" }],
    ["a document by its hash", { query: READ, extensions: { persistedQuery: { sha256Hash: "0" } } }],
    ["several in one", [{ query: READ }]],
    ["no document", { variables: {} }],
    ["nothing", ""],
    ["no JSON", `query=${READ}`],
    ["a member twice", `{"query":${JSON.stringify(READ)},"query":"mutation { pay }"}`],
  ])("APR-5 is not %s", (_, body) => {
    expect(asks(body)).toBe(false);
  });
});
