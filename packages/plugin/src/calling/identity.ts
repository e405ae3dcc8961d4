import { isJsonObject, type Json } from "@countersign/wire";
import { type AccountIdentity, SiteTrouble } from "../seams/adapter.ts";
import type { Ctx } from "../seams/ctx.ts";
import type { IdentityBinding } from "./bindings.ts";
import type { CallingSession } from "./calls.ts";
import { destinationOf, objectOf, textOf } from "./scope.ts";
import { fill, valueAt } from "./template.ts";

const ROWS_MAX = 100;

/**
 * Asks the destination whose account it is (lessons U44).
 * @throws SiteTrouble when its answer is not what was bound: nobody guesses whose account it is.
 */
export function boundIdentity(
  binding: IdentityBinding,
): (ctx: Ctx, session: CallingSession) => Promise<AccountIdentity | undefined> {
  return async (_ctx, session) => {
    const args = objectOf(binding.call.arguments, { destination: destinationOf(session) });
    if (!args.ok) throw new SiteTrouble("the account cannot be asked for");
    const answer = await session.call(binding.call, args.value);
    if (answer.kind === "sign_in") return undefined;
    if (answer.kind !== "answer") throw new SiteTrouble("the destination does not say whose account it is");
    return identityOf(binding, answer.value);
  };
}

function identityOf(binding: IdentityBinding, answer: Json): AccountIdentity {
  const name = textOf(binding.name, { answer });
  const key = binding.key === undefined ? undefined : textOf(binding.key, { answer });
  if (!name.ok || key?.ok === false) throw new SiteTrouble("the destination names no account");
  const details = binding.details.flatMap((row) => {
    const items = valueAt(row.each, { answer });
    if (!Array.isArray(items) || items.length > ROWS_MAX) throw new SiteTrouble("the account's rows cannot be read");
    return (items as readonly Json[]).map((item) => {
      const siteKey = textOf(row.site_key, { item });
      const label = textOf(row.label, { item });
      const value = fill(row.value, { item });
      if (!siteKey.ok || !label.ok || !value.ok || !isJsonObject(value.value))
        throw new SiteTrouble("a row of the account cannot be read");
      return { kind: row.kind, siteKey: siteKey.value, label: label.value, value: value.value };
    });
  });
  return { name: name.value, ...(key === undefined ? {} : { key: key.value }), details };
}
