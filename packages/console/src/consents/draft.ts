import type { ConsentDecision, ConsentScope } from "@countersign/gateway/trusted-contract";
import type { DemandedPolicy } from "@countersign/profile";
import { type LimitDraft, type LimitProblem, limitsOf, openLimits } from "./limits-draft.ts";

/** What the person has chosen so far on the grant page, as it stands in the fields. */
export interface GrantDraft {
  readonly accountRef: string | undefined;
  readonly operations: readonly string[];
  readonly routes: readonly string[];
  readonly limits: LimitDraft;
  /** Who has to decide, beyond what each operation needs anyway; nobody beyond that when undefined. */
  readonly approval: DemandedPolicy | undefined;
  /** As the date field gives it, in local time; untouched when undefined. */
  readonly until: string | undefined;
}

export type DraftProblem = "account" | "operations" | "routes" | LimitProblem | "until";

/** The draft as it opens: what was asked, nothing wider. */
export function openDraft(asked: ConsentScope, accountRef: string | undefined): GrantDraft {
  return {
    accountRef,
    operations: asked.operations,
    routes: asked.routes,
    limits: openLimits(asked.limits),
    approval: asked.approval,
    until: undefined,
  };
}

/**
 * The scope that a draft makes: what was asked, narrowed and never widened (CON-1). What cannot be read, or would be
 * wider, is a problem of its field, so that nobody grants another amount or date than the one they see.
 */
export function scopeOf(
  asked: ConsentScope,
  draft: GrantDraft,
  nowMs: number,
): { readonly scope?: ConsentScope; readonly problems: readonly DraftProblem[] } {
  const operations = asked.operations.filter((id) => draft.operations.includes(id));
  const routes = asked.routes.filter((kind) => draft.routes.includes(kind));
  const { limits, problems: limitProblems } = limitsOf(asked.limits, draft.limits);
  const expiresAt = draft.until === undefined ? asked.expires_at : narrowUntil(draft.until, asked.expires_at, nowMs);
  const problems: DraftProblem[] = [];
  if (operations.length === 0) problems.push("operations");
  if (routes.length === 0) problems.push("routes");
  problems.push(...limitProblems);
  if (expiresAt === undefined) problems.push("until");
  if (limits === undefined || expiresAt === undefined || problems.length > 0) return { problems };
  const { approval: _asked, ...rest } = asked;
  const approval = draft.approval === undefined ? {} : { approval: draft.approval };
  return { scope: { ...rest, operations, routes, limits, ...approval, expires_at: expiresAt }, problems };
}

/** The decision that a draft makes: its scope, for an account. */
export function grantOf(
  asked: ConsentScope,
  draft: GrantDraft,
  nowMs: number,
): { readonly decision?: Extract<ConsentDecision, { decision: "grant" }>; readonly problems: readonly DraftProblem[] } {
  const { scope, problems } = scopeOf(asked, draft, nowMs);
  if (draft.accountRef === undefined) return { problems: ["account", ...problems] };
  if (scope === undefined) return { problems };
  return { decision: { decision: "grant", account_ref: draft.accountRef, ...scope }, problems };
}

/** A local date and time, as the browser's own field gives it, to an RFC 3339 instant; never after what was asked. */
export function narrowUntil(local: string, asked: string, nowMs: number): string | undefined {
  const at = new Date(local).getTime();
  if (Number.isNaN(at) || at <= nowMs || at > Date.parse(asked)) return undefined;
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** An instant as a local date and time field takes it, to the minute; rounded down. */
export function localField(instant: string): string {
  const at = new Date(instant);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
