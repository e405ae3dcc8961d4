import type { AccountDetail } from "@countersign/plugin";
import { describe, expect, it } from "vitest";
import { billingOf, contactOf } from "../shared/account.ts";
import { expectEntered } from "./account.ts";

const detail = (kind: AccountDetail["kind"], value: AccountDetail["value"]): AccountDetail => ({
  ref: "det_1",
  kind,
  label: "One",
  value,
});
const HOME = { full_name: "Alex Example", address_1: "1 Long Lane", city: "Berlin", country: "DE" };

describe("REQ-4 a reference stands for what the person entered, and for nothing else", () => {
  it("an address, part by part", () => {
    expect(billingOf(detail("address", { ...HOME, postcode: "10115", province: "Mitte" }))).toMatchObject({
      ok: true,
      value: { name: "Alex Example", line1: "1 Long Lane", postcode: "10115", city: "Berlin, Mitte", country: "DE" },
    });
  });

  it.each([undefined, detail("fulfillment", HOME), detail("contact", { email: "alex@mail.example" })])(
    "%o is no home or billing address",
    (given) => {
      expect(billingOf(given)).toMatchObject({ ok: false, reason: { kind: "gap" } });
    },
  );

  it("a contact of the use that was asked for", () => {
    const mail = detail("contact", { email: "alex@mail.example" });
    expect(contactOf(mail, "email")).toEqual({ ok: true, value: { email: "alex@mail.example" } });
    expect(contactOf(mail, "phone")).toMatchObject({ ok: false, reason: { kind: "gap" } });
    expect(contactOf(mail, "fax")).toMatchObject({ ok: false, reason: { kind: "gap" } });
    expect(contactOf(detail("address", HOME), "email")).toMatchObject({ ok: false, reason: { kind: "gap" } });
    expect(contactOf(undefined, "email")).toMatchObject({ ok: false, reason: { kind: "gap" } });
  });
});

describe("APR-1 what the service says that it will keep is what was entered", () => {
  const offer = (fromNow: string) => ({ changes: "phone" as const, untilNow: "x", fromNow, consequence: "x" });
  const trouble = expect.objectContaining({ name: "SiteTrouble" });

  it.each([
    [{ phone: "+353861234567" }, "+35386123456"],
    [{ phone: "+353861234567" }, "+353861234567 and +353871112222"],
    [{ email: "alex@mail.example" }, "alex@mail.example.evil.example"],
    [{ name: "Alex Example", line1: "1 Long Lane", line2: "" }, "Alex Example, 2 Long Lane"],
  ])("%o is not %s", (entered, said) => {
    expect(() => expectEntered(offer(said), entered)).toThrow(trouble);
  });

  it("the same is taken, an address in one line", () => {
    expect(() => expectEntered(offer("+353861234567"), { phone: "+353861234567" })).not.toThrow();
    const entered = { name: "Alex Example", line1: "1 Long Lane", line2: "", postcode: "10115" };
    expect(() => expectEntered(offer("Alex Example, 1 Long Lane, 10115 Berlin"), entered)).not.toThrow();
  });
});
