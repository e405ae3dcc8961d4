import { SiteTrouble } from "@countersign/plugin";
import { AssertionFailed } from "@countersign/wire";
import { expect, it } from "vitest";
import { TimeLimit } from "../time/within.ts";
import { tellable } from "./trouble.ts";

it("AUT-4 U52 an error that quotes what it broke on is told by its kind alone", () => {
  const parse = () => JSON.parse("Alex Example, 14 Harbour Street");
  expect(parse).toThrow(/Alex/);
  const told = (() => {
    try {
      return parse();
    } catch (error) {
      return tellable(error);
    }
  })();
  expect(told).toEqual({ error: "SyntaxError" });
  expect(tellable("Alex Example")).toEqual({ error: "unknown" });
});

it("messages written by hand are told", () => {
  expect(tellable(new SiteTrouble("the shop asks to come more slowly"))).toEqual({
    error: "SiteTrouble",
    message: "the shop asks to come more slowly",
  });
  expect(tellable(new TimeLimit(5))).toEqual({ error: "TimeLimit", message: "took longer than 5 ms" });
  expect(tellable(new AssertionFailed("a rule of ours"))).toMatchObject({ message: "a rule of ours" });
});
