import type { JsonObject } from "@countersign/wire";
import type { OperationLabel } from "./consents.ts";

/** An outside authority that this gateway knows, and how the person enrolled it, if they did. */
export interface AuthorityView {
  readonly authority: string;
  readonly title: string;
  /** The operations that it can be enrolled for. */
  readonly available_operations: readonly OperationLabel[];
  /** The enrolment that counts now. */
  readonly enrolment?: EnrolmentView;
  /** One that does not count yet; at its `counts_from` it takes the place of the one that counts, if there is one. */
  readonly settling?: EnrolmentView;
}

export interface EnrolmentView {
  readonly label: string;
  readonly operations: readonly string[];
  readonly parameters: JsonObject;
  readonly enrolled_at: string;
  /** A day after it was enrolled, so that a stolen session cannot approve by an authority of its own. */
  readonly counts_from: string;
}
