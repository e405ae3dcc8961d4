import type { CallerFinding } from "@countersign/plugin";
import { canonicalJson, isJsonObject, parseJson } from "@countersign/wire";
import type { CalledByView } from "../trusted/views/tasks.ts";

/**
 * Who a request showed to have sent it, as it is kept with a task. It is evidence for the person and permits nothing:
 * whose agent it is and what it may do is decided by its token and its grants alone (PLG-7).
 */
export type CalledBy =
  | { readonly outcome: "verified"; readonly agent: string; readonly keyId: string }
  | { readonly outcome: "unsigned" }
  | { readonly outcome: "unverified" | "invalid"; readonly reason: string };

const AGENT_CHARS_MAX = 2_048;
const KEY_ID_CHARS_MAX = 128;
const REASON = /^[a-z][a-z0-9_]{0,63}$/;
const UNTOLD = "untold";

/**
 * A finding for a request of this method. What is verified and does not say what is to be done, or could be a replay,
 * proves who sent something, and not that it was this: for a request that may change something it is no proof.
 */
export function calledBy(finding: CallerFinding, method: string): CalledBy {
  if (finding.kind === "unsigned") return { outcome: "unsigned" };
  if (finding.kind !== "verified") return { outcome: finding.kind, reason: word(finding.reason) };
  const { agent, keyId, weakness } = finding;
  if (weakness !== undefined && method !== "GET" && method !== "HEAD")
    return { outcome: "unverified", reason: word(weakness) };
  const fits = isPlain(agent, AGENT_CHARS_MAX) && isPlain(keyId, KEY_ID_CHARS_MAX);
  return fits ? { outcome: "verified", agent, keyId } : { outcome: "unverified", reason: UNTOLD };
}

const RANK = ["verified", "invalid", "unverified", "unsigned"] as const;

/** The one that counts of what several protocols found: a proof that holds stands by itself, then what speaks against it. */
export function foremost(found: readonly CalledBy[]): CalledBy {
  const best = RANK.flatMap((outcome) => found.filter((one) => one.outcome === outcome))[0];
  return best ?? { outcome: "unsigned" };
}

export function calledByView(one: CalledBy): CalledByView {
  switch (one.outcome) {
    case "verified":
      return { outcome: one.outcome, agent: one.agent, key_id: one.keyId };
    case "unsigned":
      return { outcome: one.outcome };
    default:
      return { outcome: one.outcome, reason: one.reason };
  }
}

/** For the column of a task. */
export function storedCalledBy(one: CalledBy | undefined): string | null {
  return one === undefined ? null : canonicalJson({ ...calledByView(one) });
}

/** As {@link storedCalledBy} wrote it; undefined where nobody asked. */
export function readCalledBy(text: string | null): CalledBy | undefined {
  if (text === null) return undefined;
  const parsed = parseJson(text);
  const { outcome, agent, key_id: keyId, reason } = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  if (outcome === "verified" && typeof agent === "string" && typeof keyId === "string")
    return { outcome, agent, keyId };
  if (outcome === "unsigned") return { outcome };
  if ((outcome === "unverified" || outcome === "invalid") && typeof reason === "string") return { outcome, reason };
  throw new Error("what a task says of its caller is readable");
}

/** Plugins are asked for words of a closed list; a sentence, or what the stranger sent, does not get into a record. */
function word(reason: string): string {
  return REASON.test(reason) ? reason : UNTOLD;
}

function isPlain(text: string, charsMax: number): boolean {
  return text.length > 0 && text.length <= charsMax && /^[\x21-\x7e]+$/.test(text);
}
