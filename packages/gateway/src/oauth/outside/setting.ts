import type { AllowedSubject } from "../../people/outside.ts";

/** An authorization server of the operator's own, whose access tokens count here instead of ours. */
export interface OutsideIssuerSetting {
  /** As its own metadata says it: `https`, or `http` on this very machine. */
  readonly issuer: string;
  /** For whom its tokens may speak: its lasting name of an account (`sub`), and which account holder here that is. */
  readonly subjects: readonly AllowedSubject[];
}
