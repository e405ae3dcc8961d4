import type { Ctx } from "@countersign/plugin";
import { type Attempt, assert, gap, type JsonObject, ok } from "@countersign/plugin/site";

/** What the site takes as a draft, without the reference; both of its doors take the same. */
export type DraftBody = Readonly<Record<string, string>>;

export const CURRENCY = "EUR";

/** The site's own id of the way to pay that a request names by its opaque ref (decisions.md 14); undefined when it names none. */
async function methodOf(ctx: Ctx, params: JsonObject): Promise<Attempt<string | undefined>> {
  const { instrument_ref: ref } = params;
  if (ref === undefined) return ok(undefined);
  assert(typeof ref === "string", "parameters are as the catalogue says");
  const detail = await ctx.detail(ref);
  if (detail?.kind !== "instrument" || detail.siteKey === undefined)
    return gap("the payment reference is no way to pay of this account");
  return ok(detail.siteKey);
}

export async function paymentBody(ctx: Ctx, params: JsonObject): Promise<Attempt<DraftBody>> {
  const { bill_ref: bill, currency, pay_on: on } = params;
  assert(typeof bill === "string", "parameters are as the catalogue says");
  if (currency !== CURRENCY) return gap("the provider bills in another currency");
  const method = await methodOf(ctx, params);
  if (!method.ok) return method;
  return ok({
    kind: "payment",
    bill,
    ...(method.value === undefined ? {} : { method: method.value }),
    ...(typeof on === "string" ? { on } : {}),
  });
}

export async function planBody(_ctx: Ctx, params: JsonObject): Promise<Attempt<DraftBody>> {
  const { contract_ref: contract, plan_ref: plan, currency } = params;
  assert(typeof contract === "string" && typeof plan === "string", "parameters are as the catalogue says");
  return currency === CURRENCY ? ok({ kind: "plan", contract, plan }) : gap("the provider bills in another currency");
}

export async function autopayBody(ctx: Ctx, params: JsonObject): Promise<Attempt<DraftBody>> {
  const { contract_ref: contract, autopay } = params;
  assert(typeof contract === "string" && typeof autopay === "string", "parameters are as the catalogue says");
  const method = await methodOf(ctx, params);
  if (!method.ok) return method;
  return ok({ kind: "autopay", contract, autopay, ...(method.value === undefined ? {} : { method: method.value }) });
}
