import { PROFILE_ID } from "@countersign/profile";
import type { Json } from "@countersign/wire";
import { z } from "zod";
import { CASE_GROUPS } from "../case.ts";

export const REPORT_SCHEMA_ID = "countersign.conformance-report/1";
export const REPORT_NOTICE =
  "This is a test report: what these cases saw of one gateway at one time. It is not a certificate, and claims no endorsement.";

const anyJson: z.ZodType<Json> = z.json();

const caseReport = z.strictObject({
  id: z.string(),
  requirements: z.array(z.string()),
  group: z.enum(CASE_GROUPS),
  claim: z.string(),
  result: z.enum(["passed", "failed", "not_applicable", "not_run"]),
  /** Why it failed or does not apply; absent for what passed. */
  why: z.string().optional(),
  /** What the case did, step by step. */
  did: z.array(z.string()),
  evidence: z.array(z.strictObject({ what: z.string(), value: anyJson })),
  duration_ms: z.int().min(0),
});

/** The report as one JSON document. Times are RFC 3339 in UTC. `not_run`: the suite could not do its own part. */
export const conformanceReport = z.strictObject({
  schema: z.literal(REPORT_SCHEMA_ID),
  notice: z.string(),
  profile: z.literal(PROFILE_ID),
  gateway: z.string(),
  transport: z.string(),
  started_at: z.string(),
  finished_at: z.string(),
  passed: z.boolean(),
  totals: z.strictObject({
    passed: z.int().min(0),
    failed: z.int().min(0),
    not_applicable: z.int().min(0),
    not_run: z.int().min(0),
  }),
  cases: z.array(caseReport),
});

export type CaseReport = z.infer<typeof caseReport>;
export type ConformanceReport = z.infer<typeof conformanceReport>;

/** The document's JSON Schema, from the same source. */
export function reportJsonSchema(): object {
  return z.toJSONSchema(conformanceReport);
}
