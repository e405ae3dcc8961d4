import type { ConsentDecision, ConsentLimits, ConsentScope } from "@countersign/gateway/trusted-contract";
import { currencyDigits, formatMoney, parseAmountText } from "@countersign/wire";

/** What the person has chosen so far on the grant page, as it stands in the fields. */
export interface GrantDraft {
  readonly accountRef: string | undefined;
  readonly operations: readonly string[];
  readonly routes: readonly string[];
  /** As typed; empty means no limit where none was asked for. */
  readonly amount: string;
  readonly currency: string;
  /** As the date field gives it, in local time; untouched when undefined. */
  readonly until: string | undefined;
}

export type DraftProblem = "account" | "operations" | "routes" | "amount" | "until";

/** The draft as it opens: what was asked, nothing wider. */
export function openDraft(asked: ConsentScope, accountRef: string | undefined): GrantDraft {
  const { max_total_minor: minor, currency } = asked.limits;
  return {
    accountRef,
    operations: asked.operations,
    routes: asked.routes,
    amount: minor === undefined || currency === undefined ? "" : editableAmount(minor, currency),
    currency: currency ?? "",
    until: undefined,
  };
}

/**
 * The decision that a draft makes: what was asked, narrowed and never widened (CON-1). What cannot be read, or would be
 * wider, is a problem of its field, so that nobody grants another amount or date than the one they see.
 */
export function grantOf(
  asked: ConsentScope,
  draft: GrantDraft,
  nowMs: number,
): { readonly decision?: Extract<ConsentDecision, { decision: "grant" }>; readonly problems: readonly DraftProblem[] } {
  const operations = asked.operations.filter((id) => draft.operations.includes(id));
  const routes = asked.routes.filter((kind) => draft.routes.includes(kind));
  const limits = limitsOf(asked.limits, draft);
  const expiresAt = draft.until === undefined ? asked.expires_at : narrowUntil(draft.until, asked.expires_at, nowMs);
  const problems: DraftProblem[] = [];
  if (draft.accountRef === undefined) problems.push("account");
  if (operations.length === 0) problems.push("operations");
  if (routes.length === 0) problems.push("routes");
  if (limits === undefined) problems.push("amount");
  if (expiresAt === undefined) problems.push("until");
  if (draft.accountRef === undefined || limits === undefined || expiresAt === undefined || problems.length > 0)
    return { problems };
  return {
    decision: {
      decision: "grant",
      account_ref: draft.accountRef,
      operations,
      routes,
      limits,
      expires_at: expiresAt,
    },
    problems,
  };
}

function limitsOf(asked: ConsentLimits, draft: GrantDraft): ConsentLimits | undefined {
  const { max_total_minor: most, currency } = asked;
  if (most === undefined || currency === undefined) {
    if (draft.amount.trim() === "") return asked;
    const own = currency ?? draft.currency.trim().toUpperCase();
    const minor = narrowAmount(draft.amount, own, undefined);
    return minor === undefined ? undefined : { max_total_minor: minor, currency: own };
  }
  const minor = narrowAmount(draft.amount, currency, most);
  return minor === undefined ? undefined : { max_total_minor: minor, currency };
}

/** An amount as a person edits it ("50.00") to minor units; never above what was asked. */
export function narrowAmount(text: string, currency: string, askedMinor: number | undefined): number | undefined {
  const parsed = parseAmountText(text.trim(), { currency, decimal: "." });
  if (!parsed.ok) return undefined;
  return askedMinor !== undefined && parsed.value.minor > askedMinor ? undefined : parsed.value.minor;
}

function editableAmount(minor: number, currency: string): string {
  return currencyDigits(currency).ok ? formatMoney({ minor, currency }, "amount") : String(minor);
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
