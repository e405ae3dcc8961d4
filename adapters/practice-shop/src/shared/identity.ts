import type { AccountDetail, AccountIdentity, Ctx } from "@countersign/plugin";

/** The shop's own words for the account, and the rows that a request may name (decisions 14). */
export function identity(
  name: string,
  email: string,
  addresses: readonly { readonly id: string; readonly label: string; readonly lines: readonly string[] }[],
  instruments: readonly { readonly id: string; readonly label: string }[],
): AccountIdentity {
  return {
    name: email === "" ? name : `${name} (${email})`,
    details: [
      ...addresses.map((a) => ({
        kind: "fulfillment" as const,
        siteKey: a.id,
        label: a.label,
        value: { lines: a.lines },
      })),
      ...instruments.map((i) => ({ kind: "instrument" as const, siteKey: i.id, label: i.label, value: {} })),
    ],
  };
}

/** The delivery address behind a request's opaque ref: the shop's own id for it. */
export async function addressOf(
  ctx: Ctx,
  ref: string,
): Promise<(AccountDetail & { readonly siteKey: string }) | undefined> {
  const detail = await ctx.detail(ref);
  return detail?.kind === "fulfillment" && detail.siteKey !== undefined
    ? { ...detail, siteKey: detail.siteKey }
    : undefined;
}
