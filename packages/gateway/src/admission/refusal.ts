import type { Reason } from "@countersign/profile";
import type { JsonProblem } from "@countersign/wire";
import type { z } from "zod";

/** Why a request was not taken: a reason of the table, and where in the request the rule was broken. */
export interface Refusal {
  readonly reason: Reason;
  /** RFC 6901 pointers with the rule that each breaks; never what the caller sent. */
  readonly problems?: readonly { readonly pointer: string; readonly rule: string }[];
  /** Another record that the refusal is about (a twin, an existing task). */
  readonly taskId?: string;
}

const PROBLEMS_MAX = 20;
const NAME_CHARS_MAX = 64;

export function jsonRefusal(problem: JsonProblem): Refusal {
  if (problem.code === "too_large") return { reason: "body_too_large" };
  return { reason: "malformed_body", problems: [{ pointer: problem.path, rule: problem.code }] };
}

/** Zod's findings as pointers and rules. Messages are our schemas' own words; received values are left out. */
export function schemaRefusal(error: z.ZodError, base = ""): Refusal {
  const problems = error.issues.slice(0, PROBLEMS_MAX).flatMap((issue) => {
    const at = base + issue.path.map((step) => `/${pointerStep(String(step))}`).join("");
    if (issue.code === "unrecognized_keys") {
      return issue.keys
        .slice(0, PROBLEMS_MAX)
        .map((key) => ({ pointer: `${at}/${pointerStep(key)}`, rule: "unknown member" }));
    }
    return [{ pointer: at, rule: ruleOf(issue) }];
  });
  return { reason: "invalid_request", problems };
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${issue.expected}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    case "too_small":
      return `at least ${issue.minimum}`;
    case "invalid_value":
      return "not one of the allowed values";
    case "invalid_format":
      return issue.pattern === undefined ? `must be ${issue.format}` : "wrong form";
    case "custom":
      return issue.message;
    default:
      return "invalid";
  }
}

function pointerStep(step: string): string {
  return step.slice(0, NAME_CHARS_MAX).replaceAll("~", "~0").replaceAll("/", "~1");
}
