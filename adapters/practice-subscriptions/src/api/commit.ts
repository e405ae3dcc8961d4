import type { Confirmation, Ctx } from "@countersign/plugin";
import type { Attempt, JsonObject, Observed } from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { bodyOf, type Draft, type DraftRequest, draftedCommit } from "@countersign/route-http";
import { z } from "zod";
import { errorCode } from "./shapes.ts";

// Every commit of the service's API goes the same way: a preview is the last screen, it is named by the committing
// request together with a reference of ours, and what was done is listed by that reference.

/** What one of the commits has for itself. */
export interface LanternCommit<O, D extends { readonly reference: string }> {
  readonly operation: string;
  /** Takes the committing request. */
  readonly path: string;
  /** The list of what was done, and the member of its answer. */
  readonly listed: { readonly path: string; readonly member: string };
  readonly looking: string;
  readonly preview: (ctx: Ctx, params: JsonObject) => Attempt<DraftRequest<O>> | Promise<Attempt<DraftRequest<O>>>;
  readonly draftShape: z.ZodType<Draft<O>>;
  readonly terms: (origin: string, offer: O, params: JsonObject) => Observed<JsonObject>;
  readonly doneShape: z.ZodType<D>;
  /** Whether this is of what the record says; another's confirmation confirms nothing. */
  readonly isWanted: (done: D, record: ActionRecord) => boolean;
  readonly confirmation: (done: D, record: ActionRecord) => Confirmation<JsonObject>;
}

export function lanternCommit<O, D extends { readonly reference: string }>({
  listed,
  preview,
  ...spec
}: LanternCommit<O, D>) {
  const listShape = z
    .object({ [listed.member]: z.array(spec.doneShape) })
    .transform((answer): readonly D[] => answer[listed.member] ?? []);
  return draftedCommit<O, D>({
    ...spec,
    drafts: "/api/v2/previews",
    // A preview holds the wish and no price of its own, and no reference: that comes with what confirms it.
    request: async (ctx, _session, { params }) => preview(ctx, params),
    body: (id, reference) => ({ preview: id, reference }),
    // Everything done through the API carries a reference, so there is nothing that is merely alike.
    async list(session, { ownReference }) {
      const path = `${listed.path}?reference=${encodeURIComponent(ownReference)}`;
      return bodyOf(await session.fetch(path), 200, listShape);
    },
    reference: (done) => done.reference,
    codeOf: errorCode,
    gaps: {
      not_subscribed: "the service has no such subscription here",
      already_ending: "the subscription is cancelled already",
      change_announced: "another plan is announced for the subscription already",
      unknown_plan: "the service has no such plan on offer",
      same_plan: "this is the plan that the account has",
      invalid_address: "the service does not take this address",
      invalid_email: "the service does not take this e-mail address",
      invalid_phone: "the service does not take this telephone number",
      same_value: "the service has exactly this already",
    },
    gone: { preview_expired: "used_or_expired" },
    refusals: {
      refused: [422, "the service does not do it at the moment"],
      preview_expired: [410, "the service's preview has run out"],
      unknown_plan: [422, "the service does not offer the plan any more"],
    },
  });
}
