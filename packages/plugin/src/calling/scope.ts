import { canonicalJson, err, isJsonObject, type Json, type JsonObject, ok, type Result } from "@countersign/wire";
import type { Ctx } from "../seams/ctx.ts";
import type { Condition, Refusals } from "./bindings.ts";
import type { BoundCall, CallAnswer, CallingSession } from "./calls.ts";
import { fill, type Scope, type Template } from "./template.ts";

/** Why a bound operation cannot go on, in the words of every seam before the boundary. */
export type Stop = { readonly kind: "sign_in" } | { readonly kind: "gap"; readonly why: string };
export type Attempt<T> = Result<T, Stop>;

export function gap(why: string): Attempt<never> {
  return err({ kind: "gap", why });
}

/** What a request can name before anything was called. */
export async function askedScope(
  ctx: Ctx,
  session: CallingSession,
  parameters: JsonObject,
  details: readonly string[],
): Promise<Attempt<Scope>> {
  const rows: Record<string, Json> = {};
  for (const name of details) {
    const ref = parameters[name];
    if (ref === undefined) continue;
    const row = typeof ref === "string" ? await ctx.detail(ref) : undefined;
    if (row === undefined) return gap(`${name} names no row of this account`);
    const { kind, label, value, siteKey } = row;
    rows[name] = { kind, label, value, ...(siteKey === undefined ? {} : { site_key: siteKey }) };
  }
  return ok({ parameters, details: rows, destination: destinationOf(session) });
}

export function destinationOf(session: CallingSession): JsonObject {
  return { origin: session.origin, host: new URL(session.origin).host };
}

/** One bound call that changes nothing; its own refusals are a gap, in the operator's words or in ours. */
export async function ask(
  session: CallingSession,
  bound: BoundCall & { readonly arguments: Template },
  refused: Refusals,
  scope: Scope,
): Promise<Attempt<Json>> {
  const args = objectOf(bound.arguments, scope);
  if (!args.ok) return gap(`the arguments of ${bound.name} cannot be filled in`);
  return answerOf(await session.call(bound, args.value), bound, refused);
}

function answerOf(answer: CallAnswer, bound: BoundCall, refused: Refusals): Attempt<Json> {
  if (answer.kind === "answer") return ok(answer.value);
  if (answer.kind !== "error") return err(answer);
  return gap(recognisedRefusal(refused, answer.value) ?? `${bound.name} answered with an error`);
}

/** The operator's words for a refusal; undefined for every error that was not described. */
export function recognisedRefusal(refused: Refusals, answer: Json): string | undefined {
  return refused.find(({ when }) => holds(when, { answer }))?.why;
}

/** Whether all conditions hold; one that cannot be filled in does not. */
export function holds(conditions: readonly Condition[], scope: Scope): boolean {
  return conditions.every(({ value, is, one_of: oneOf }) => {
    const found = fill(value, scope);
    if (!found.ok) return false;
    const text = canonicalJson(found.value);
    if (oneOf !== undefined) return oneOf.some((one) => canonicalJson(one as Json) === text);
    const wanted = is === undefined ? undefined : fill(is, scope);
    return wanted?.ok === true && canonicalJson(wanted.value) === text;
  });
}

/** A template that has to become an object. */
export function objectOf(template: Template, scope: Scope): Result<JsonObject, "unfit"> {
  const filled = fill(template, scope);
  return filled.ok && isJsonObject(filled.value) ? ok(filled.value) : err("unfit");
}

/** A template that has to become a text with something in it. */
export function textOf(template: Template, scope: Scope): Result<string, "unfit"> {
  const filled = fill(template, scope);
  return filled.ok && typeof filled.value === "string" && filled.value !== "" ? ok(filled.value) : err("unfit");
}
