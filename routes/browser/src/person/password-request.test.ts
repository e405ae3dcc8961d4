import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesPassword } from "./password-request.ts";

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
  ])("%s", (_name, body) => expect(namesPassword(body)).toBe(true));

  it.each([
    ["the first step, which asks for a name alone", "email=a%40b.co"],
    ["an empty one", "email=a&password="],
    ["a search for the word", '{"query":"forgot password"}'],
    ["a code", "code=123456"],
    ["a field that only begins like one", '{"passenger":"Ada"}'],
    ["nothing", ""],
  ])("not %s", (_name, body) => expect(namesPassword(body)).toBe(false));

  it("finds a form's password wherever it stands, whatever it is", () => {
    const value = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b", "token"), fc.string())), value, (others, password) => {
        const body = new URLSearchParams([...others, ["password", password], ...others]).toString();
        expect(namesPassword(body)).toBe(true);
        expect(namesPassword(JSON.stringify({ ...Object.fromEntries(others), password: `p${password}` }))).toBe(true);
      }),
    );
  });
});
