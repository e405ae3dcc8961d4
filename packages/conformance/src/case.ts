import type { Scene } from "./stage/scene.ts";

/** One black-box case of the contract. A file in `cases/` holds one, and `cases/all.ts` lists them. */
export interface ConformanceCase {
  /** Unique; the requirement that it is mainly about, with a word where there are several. */
  readonly id: string;
  /** Every requirement (docs: requirement ids) and lesson that it bears on. */
  readonly requirements: readonly string[];
  readonly group: CaseGroup;
  /** What a conforming gateway does, in a sentence. */
  readonly claim: string;
  /** Throws `CheckFailed` for what the gateway does wrong, `NotApplicable` for what it does not have. */
  run(scene: Scene): Promise<void>;
}

export const CASE_GROUPS = [
  "Published behaviours",
  "Requests",
  "Consent and authority",
  "Approval",
  "Sign-in hand-off",
  "Outcomes",
  "Receipts",
] as const;
export type CaseGroup = (typeof CASE_GROUPS)[number];
