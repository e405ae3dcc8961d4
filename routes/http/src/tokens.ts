import { ok, type Result, type Secret } from "@countersign/wire";

export type TokenProblem = "sign_in" | "unavailable";

/** What came with an answer, beside its body. Nothing of it is the adapter's to see. */
export interface AnswerHead {
  readonly status: number;
  readonly url: URL;
  readonly setCookies: readonly string[];
  readonly location?: string;
}

/** The tokens of one session. What is in them is the site's own; nothing of the gateway's is ever sent (AUT-3). */
export interface SessionTokens {
  /** What to send now, good for at least this long; renewed before, where it can be. */
  lasting(spareMs: number): Promise<Result<Secret<string>, TokenProblem>>;
  /** The site did not take this one: another to read with once more, or the person. */
  refused(token: Secret<string>): Promise<Result<Secret<string>, TokenProblem>>;
  /** Every value that must not come back in an answer. */
  secrets(): readonly Secret<string>[];
  /** Looks at each answer before anybody else: whether it means that nobody is signed in. Only a 401 where this is left out. */
  answered?(head: AnswerHead): Promise<"answer" | "signed_out">;
}

/** A token that nothing renews: once the site no longer takes it the person signs in again. */
export function fixedToken(token: Secret<string>): SessionTokens {
  return {
    lasting: async () => ok(token),
    refused: async () => ({ ok: false, reason: "sign_in" }),
    secrets: () => [token],
  };
}
