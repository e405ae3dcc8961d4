import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emailProblem, enteredProblems, labelTells, phoneProblem, plainPhone } from "./entered.ts";

describe("REQ-2 an e-mail address that a site is told", () => {
  it.each(["alex@mail.example", "a.b+c@sub.mail.example", "o'neill@x.ie", `${"a".repeat(64)}@mail.example`])(
    "%s is one",
    (text) => {
      expect(emailProblem(text)).toBeUndefined();
    },
  );

  it.each([
    "alex",
    "alex@",
    "@mail.example",
    "alex@mail",
    "alex@@mail.example",
    "alex@mail..example",
    "alex@-mail.example",
    "alex@mail-.example",
    ".alex@mail.example",
    "al..ex@mail.example",
    "alex@mail.example.",
    "alex @mail.example",
    "Alex <alex@mail.example>",
    "alex@mail.example\n",
    "alex@mail.example,mallory@evil.example",
    "alеx@mail.example",
    "alex@exämple.com",
    "alex@[127.0.0.1]",
    "alex@127.0.0.1",
    '"a b"@mail.example',
    `${"a".repeat(65)}@mail.example`,
    `a@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(63)}.example`,
  ])("%j is none", (text) => {
    expect(emailProblem(text)).toBe("email");
  });
});

describe("REQ-2 a telephone number that a site is told", () => {
  it.each(["+353861234567", "+12025550123", "+4930123456", "+1234567", "+123456789012345"])("%s is one", (text) => {
    expect(phoneProblem(text)).toBeUndefined();
  });

  it.each([
    ["0861234567", "phone_plus"],
    ["00353861234567", "phone_plus"],
    ["353861234567", "phone_plus"],
    ["+0861234567", "phone_plus"],
    ["+44 (0)20 7946 0958", "phone_trunk_zero"],
    ["+353 86 1234567", "phone_digits"],
    ["+353861234567;ext=9", "phone_digits"],
    ["+35386123456O", "phone_digits"],
    ["+٣٥٣٨٦١٢٣٤٥٦٧", "phone_digits"],
    ["+353861234567\n", "phone_digits"],
    ["+123456", "phone_length"],
    ["+1234567890123456", "phone_length"],
    ["", "missing"],
  ] as const)("%j is none: %s", (text, problem) => {
    expect(phoneProblem(text)).toBe(problem);
  });

  it("as people write it, it is read without what is between the digits; a zero in brackets is asked about", () => {
    expect(plainPhone(" +353 (86) 123-45.67 ")).toBe("+353861234567");
    expect(phoneProblem(plainPhone("+44 (0)20 7946 0958"))).toBe("phone_trunk_zero");
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9][0-9]{6,14}$/), (number) => {
        expect(plainPhone([...number].join(" "))).toBe(number);
        expect(phoneProblem(number)).toBeUndefined();
      }),
    );
  });
});

describe("REQ-2 what a reference holds", () => {
  const whole = { full_name: "Alex Example", address_1: "1 Long Lane", city: "Berlin", country: "DE" };

  it("an address has its four members, a country of two letters, and nothing that nobody knows", () => {
    expect(enteredProblems("address", { ...whole, postcode: "10115" })).toEqual([]);
    expect(enteredProblems("address", { ...whole, country: "Germany" })).toEqual([
      { field: "country", problem: "country" },
    ]);
    expect(enteredProblems("address", { ...whole, city: " " })).toEqual([{ field: "city", problem: "missing" }]);
    expect(enteredProblems("address", { ...whole, pin: "1234" })).toEqual([{ field: "pin", problem: "unknown_field" }]);
    expect(enteredProblems("address", { ...whole, telephone: "030 1" })).toEqual([
      { field: "telephone", problem: "phone_plus" },
    ]);
  });

  it("a contact is one of both, never two", () => {
    expect(enteredProblems("contact", { email: "alex@mail.example" })).toEqual([]);
    expect(enteredProblems("contact", { phone: "+353861234567" })).toEqual([]);
    expect(enteredProblems("contact", {})).toMatchObject([{ problem: "one_of_both" }]);
    expect(enteredProblems("contact", { email: "alex@mail.example", phone: "+353861234567" })).toMatchObject([
      { problem: "one_of_both" },
    ]);
    expect(enteredProblems("contact", { fax: "1" })).toEqual([{ field: "fax", problem: "unknown_field" }]);
    expect(enteredProblems("contact", { email: "x" })).toEqual([{ field: "email", problem: "email" }]);
  });

  it("REQ-4 its name, which agents read, does not tell what it is", () => {
    expect(labelTells("contact", "My Alex@Mail.example", { email: "alex@mail.example" })).toBe(true);
    expect(labelTells("contact", "+353 86 123 4567", { phone: "+353861234567" })).toBe(true);
    expect(labelTells("contact", "Work phone", { phone: "+353861234567" })).toBe(false);
    expect(labelTells("address", "1 long lane, Berlin", whole)).toBe(true);
    expect(labelTells("address", "Berlin", whole)).toBe(false);
    expect(labelTells("fulfillment", "1 Long Lane", whole)).toBe(false);
  });

  it("a delivery address is as its site wants it", () => {
    expect(enteredProblems("fulfillment", { anything: "at all" })).toEqual([]);
  });
});
