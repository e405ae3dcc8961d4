import { expect, it } from "vitest";
import { isUnannounced, kindsOf } from "./kinds.ts";

it.each([
  ["/inbox", ["tasks", "consents", "accounts", "agents"]],
  ["/tasks/task_1", ["tasks"]],
  ["/approvals/act_1", ["tasks"]],
  ["/receipts", ["tasks"]],
  ["/consents/cons_1", ["consents", "tasks"]],
  ["/accounts", ["accounts"]],
  ["/agents", ["agents"]],
  ["/session", []],
])("%s reads differently after %s", (path, kinds) => {
  expect(kindsOf(path)).toEqual(kinds);
});

it("what is not known is read again after every change", () => {
  expect(kindsOf("/something-new")).toHaveLength(4);
  expect(kindsOf("/constructor")).toHaveLength(4);
});

it("a hand-off is told of nowhere, so it is asked for", () => {
  expect(isUnannounced("/continuations/cont_1")).toBe(true);
  expect(isUnannounced("/practice")).toBe(true);
  expect(isUnannounced("/tasks/practice")).toBe(false);
});
