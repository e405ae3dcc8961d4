import { expect, it } from "vitest";
import { parametersOf } from "./parameters.ts";

it("takes a JSON object, and nothing for none", () => {
  expect(parametersOf(' {"key": "abc"} ')).toEqual({ key: "abc" });
  expect(parametersOf("  ")).toEqual({});
});

it.each(["[]", "1", '"text"', "{", '{"a":1,"a":2}', "null"])("%s is none", (text) => {
  expect(parametersOf(text)).toBeUndefined();
});
