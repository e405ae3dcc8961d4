import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namedTries } from "./tried-in.ts";

describe("lock-out guard: a request that tries a password is known by its body", () => {
  it.each([
    ["a form", "email=a%40b.co&password=s"],
    ["a form first", "password=s&email=a"],
    ["a nested form", "user%5Bpassword%5D=s"],
    ["a nested form, plain", "user[password]=s"],
    ["JSON", '{"email":"a@b.co","password":"s"}'],
    ["JSON, camel case", '{"loginPassword" : "s"}'],
    ["another language", "passwort=s"],
    ["multipart", '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\ns'],
    ["short names", "user=a&pwd=s"],
  ])("%s", (_name, body) => expect(namedTries(body)).toContain("password"));

  it.each([
    ["the first step, which asks for a name alone", "email=a%40b.co"],
    ["an empty one", "email=a&password="],
    ["a search for the word", '{"query":"forgot password"}'],
    ["a code", "code=123456"],
    ["a field that only begins like one", '{"passenger":"Ada"}'],
    ["nothing", ""],
  ])("not %s", (_name, body) => expect(namedTries(body)).not.toContain("password"));

  it("finds a form's password wherever it stands, whatever it is", () => {
    const value = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b", "token"), fc.string())), value, (others, password) => {
        const body = new URLSearchParams([...others, ["password", password], ...others]).toString();
        expect(namedTries(body)).toContain("password");
        expect(namedTries(JSON.stringify({ ...Object.fromEntries(others), password: `p${password}` }))).toContain(
          "password",
        );
      }),
    );
  });
});

describe("lock-out guard: a request that tries a one-time code is known by its body", () => {
  it.each([
    ["a form", "code=123456"],
    ["an app's", "otp=123456&remember=1"],
    ["a long name", "user%5Bverification_code%5D=123456"],
    ["JSON", '{"oneTimeCode":"123456"}'],
    ["JSON, a number", '{"mfa_code": 123456}'],
    ["multipart", '--x\r\nContent-Disposition: form-data; name="totp"\r\n\r\n1'],
  ])("%s", (_name, body) => expect(namedTries(body)).toEqual(["code"]));

  it.each([
    ["a postal code", "postal_code=10115&country_code=DE"],
    ["a discount", '{"discountCode":"SPRING"}'],
    ["an empty one", "code="],
    ["a pinned item", '{"pinned":"1"}'],
    ["a password", "password=123456"],
  ])("not %s", (_name, body) => expect(namedTries(body)).not.toContain("code"));

  it("both at once are both", () => expect(namedTries("password=s&otp=1")).toEqual(["password", "code"]));
});
