import { expect, it } from "vitest";
import { placeOf } from "./router.ts";

it.each([
  ["/", { page: "inbox" }],
  ["/link", { page: "link" }],
  ["/tasks", { page: "tasks" }],
  ["/tasks/", { page: "tasks" }],
  ["/tasks/task_1", { page: "task", id: "task_1" }],
  ["/approvals/act_1", { page: "approval", id: "act_1" }],
  ["/continuations/cont_1", { page: "continuation", id: "cont_1" }],
  ["/consents/cons_1", { page: "consent", id: "cons_1" }],
  ["/agents/agent-1", { page: "agent", id: "agent-1" }],
  ["/receipts", { page: "receipts" }],
  ["/receipts/task_1", { page: "receipt", id: "task_1" }],
  ["/more", { page: "more" }],
])("%s is a page", (path, place) => {
  expect(placeOf(path)).toEqual(place);
});

it.each([
  "/approvals",
  "/accounts/acc_1",
  "/tasks/a/b",
  "/nothing",
  "/constructor",
  "/toString/x",
  "/tasks/..",
  "/tasks/..%2Fsession",
  "/tasks/a%3Fb",
  "/tasks/a b",
  "//evil.example",
])("%s is none", (path) => {
  expect(placeOf(path)).toEqual({ page: "unknown" });
});
