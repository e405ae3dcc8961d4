import type { Confirmation, Ctx } from "@countersign/plugin";
import {
  type Attempt,
  type Fingerprint,
  type JsonObject,
  type Observed,
  ok,
  parseInstant,
  SiteTrouble,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { bodyOf, type Draft, draftedCommit, type HttpSession } from "@countersign/route-http";
import type { z } from "zod";
import { CLOCK_SKEW_MS, PAGES_MAX } from "../shared/limits.ts";
import type { DraftBody } from "../shared/wish.ts";
import { errorCode } from "./shapes.ts";

// Paying, another plan and automatic payment go alike at this provider: a draft is the last screen, which holds the wish
// and not the price; a request of its own confirms it, and what was done is listed, newest first.

/** What was done, as the provider lists it. */
export interface Made {
  readonly number: string;
  readonly madeAt: string;
  readonly reference: string;
}

export interface DraftCommit<O, M extends Made> {
  readonly operation: string;
  /** Confirms a draft. */
  readonly path: string;
  /** Lists what was done. */
  readonly list: string;
  readonly body: (ctx: Ctx, params: JsonObject) => Promise<Attempt<DraftBody>>;
  readonly draftShape: z.ZodType<Draft<O>>;
  readonly madeShape: z.ZodType<M>;
  readonly listShape: z.ZodType<{ readonly rows: readonly M[]; readonly pages: number }>;
  readonly terms: (origin: string, offer: O, params: JsonObject) => Observed<JsonObject>;
  /** Whether what was done is what the record says. */
  readonly isWanted: (made: M, record: ActionRecord) => boolean;
  readonly confirmation: (made: M) => Confirmation<JsonObject>;
  readonly recordKind: string;
}

export function draftCommit<O, M extends Made>({ body, list, listShape, madeShape, ...kind }: DraftCommit<O, M>) {
  return draftedCommit<O, M>({
    ...kind,
    drafts: "/api/drafts",
    looking: "Asking the provider for its last screen",
    async request(ctx, _session, { params }, reference) {
      const wish = await body(ctx, params);
      return wish.ok ? ok({ body: { ...wish.value, reference } }) : wish;
    },
    body: (draft) => ({ draft }),
    doneShape: madeShape,
    list: (session, print, record) => listed(session, list, listShape, print, record),
    reference: (made) => made.reference,
    // The list ends at what is older than the record.
    isAlike: kind.isWanted,
    codeOf: errorCode,
    gaps: {
      unknown_bill: "the provider has no such bill here",
      nothing_to_pay: "nothing is to be paid of this bill",
      unknown_method: "the provider does not take this way to pay",
      date_not_possible: "the provider does not take a payment on this day",
      unknown_contract: "the provider has no such contract here",
      unknown_plan: "the provider does not offer this plan for the contract",
      change_announced: "another change of this contract is announced already",
      nothing_to_change: "it is so already",
      invalid_request: "the provider does not take this",
    },
    gone: { draft_done: "used", draft_expired: "expired" },
    refusals: {
      declined: [422, "the provider declined it"],
      nothing_to_pay: [422, "nothing was to be paid of the bill any more"],
      date_not_possible: [422, "the day was not possible any more"],
      change_announced: [422, "another change was announced meanwhile"],
      nothing_to_change: [422, "it was so already"],
      draft_expired: [410, "the provider's last screen had run out"],
    },
  });
}

/** What was done with the task's reference; and, where only the record has survived, everything since it was made. */
async function listed<M extends Made>(
  session: HttpSession,
  path: string,
  shape: DraftCommit<never, M>["listShape"],
  print: Fingerprint,
  record: ActionRecord,
): Promise<Attempt<readonly M[]>> {
  const rows: M[] = [];
  const created = parseInstant(record.created_at);
  const since = created.ok ? created.value - CLOCK_SKEW_MS : 0;
  const isOld = ({ madeAt }: M): boolean => {
    const at = parseInstant(madeAt);
    return at.ok && at.value < since;
  };
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const query = new URLSearchParams({
      page: String(page),
      ...(print.alike ? {} : { reference: print.ownReference }),
    });
    const body = bodyOf(await session.fetch(`${path}?${query}`), 200, shape);
    if (!body.ok) return body;
    rows.push(...body.value.rows.filter((each) => !isOld(each)));
    // Behind an old one there is none that counts.
    if (page >= body.value.pages || body.value.rows.some(isOld)) return ok(rows);
  }
  throw new SiteTrouble("the provider's list does not end");
}
