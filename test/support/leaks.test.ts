import { expect, it } from "vitest";
import { leaks } from "./leaks.ts";

it("a secret is found in text, in bytes and in UTF-16, and a code only on its own", () => {
  const secrets = { password: "hunter two", code: "123456" };
  const places = new Map<string, string | Uint8Array>([
    ["log", "typed: hunter two"],
    ["file", Buffer.from("\0hunter two\0")],
    ["wide file", Buffer.from("hunter two", "utf16le")],
    ["time", "1712345678"],
    ["form", "code=123456&x=1"],
    ["receipt", `x.${Buffer.from('{"password":"hunter two"}').toString("base64url")}.y`],
    ["clean", "hunter"],
  ]);
  expect(leaks(secrets, places)).toEqual([
    "password in log",
    "password in file",
    "password in wide file",
    "code in form",
    "password in receipt",
  ]);
});
