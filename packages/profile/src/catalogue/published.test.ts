import { describe, expect, it } from "vitest";
import { z } from "zod";
import { OPERATIONS } from "./catalogue.ts";
import { catalogueView, publishedCatalogue } from "./published.ts";

describe("REQ-7 the published catalogue", () => {
  const view = publishedCatalogue(OPERATIONS);

  it("has every operation once, as data alone", () => {
    const read: unknown = JSON.parse(JSON.stringify(view));
    expect(catalogueView.parse(read)).toEqual(view);
    expect(view.operations.map(({ id }) => id)).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });

  it("its schemas judge as the code does: each takes its example and refuses an unknown member", () => {
    for (const operation of view.operations) {
      const { parameters, terms } = operation.example;
      const asked = z.fromJSONSchema(operation.parameters as never);
      expect(asked.safeParse(parameters).success, operation.id).toBe(true);
      expect(asked.safeParse({ ...parameters, invented: 1 }).success, operation.id).toBe(false);
      if (operation.effect !== "commit") continue;
      expect(z.fromJSONSchema(operation.terms as never).safeParse(terms).success, operation.id).toBe(true);
    }
  });

  it("names members as the wire does, and loses no rule on the way", () => {
    const order = view.operations.find(({ id }) => id === "retail.order.submit");
    expect(order).toMatchObject({
      effect: "commit",
      approval: "passkey",
      ceiling: { limit_member: "max_total_minor", total_member: "total_minor" },
      limits: { items: { request_member: "item_ref", terms_list: "lines", where: { member: "kind", equals: "item" } } },
      meaning: { valid_until: "quote_expires_at", sums: [{ total: "total_minor", list: "lines" }] },
      read_back: { listed_by: "retail.orders.list" },
    });
    const watch = view.operations.find(({ id }) => id === "retail.deal.watch");
    expect(watch).toMatchObject({ effect: "read", repeats: { until_member: "watch_ends_at", met_member: "met" } });
    const members = JSON.stringify(view, (name, value: unknown) => (name === "properties" ? undefined : value));
    expect(members).not.toMatch(/"(termsMember|requestMember|validUntil|limitMember|readBack|personalData|listedBy)"/);
  });

  it("is small enough to fetch", () => {
    expect(JSON.stringify(view).length).toBeLessThan(256 * 1024);
  });
});
