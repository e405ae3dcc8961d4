import { type LogFields, SiteTrouble } from "@countersign/plugin";
import { AssertionFailed } from "@countersign/wire";
import { TimeLimit } from "../time/within.ts";

/**
 * What a log may say of an error that came out of a step: its kind, and its message only where that was written by
 * hand. Errors of parsers and of browsers quote the page or the body they broke on (AUT-4, U52).
 */
export function tellable(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: "unknown" };
  const written = [SiteTrouble, AssertionFailed, TimeLimit].some((kind) => error instanceof kind);
  return { error: error.name, ...(written ? { message: error.message } : {}) };
}
