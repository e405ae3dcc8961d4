import { expect, it } from "vitest";
import { addressOf } from "./address.ts";

const whole = { full_name: "Alex Example", address_1: "1 Long Lane", city: "Berlin", country: "DE" };

it("keeps what was typed, without empty members and spaces around", () => {
  expect(addressOf({ ...whole, city: " Berlin ", province: "  ", telephone: "+49 30 1" })).toEqual({
    ...whole,
    telephone: "+49 30 1",
  });
});

it.each(["full_name", "address_1", "city", "country"])("is none without %s", (member) => {
  expect(addressOf({ ...whole, [member]: " " })).toBeUndefined();
});
