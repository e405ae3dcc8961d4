import { type AccountIdentity, SiteTrouble } from "@countersign/plugin";
import { type BrowserSession, pathOf } from "@countersign/route-browser";
import { ok } from "@countersign/wire";
import { visit } from "./visit.ts";

/**
 * The account in the shop's own words (lessons U44). Its address book is left alone: the checkout does not offer it, so
 * an order goes to an address that the person enters.
 */
export async function readIdentity(session: BrowserSession): Promise<AccountIdentity | undefined> {
  const account = await visit(session, "/account", async (page) => {
    if (pathOf(page) !== "/account") throw new SiteTrouble("the shop did not show the account");
    const look = await page.evaluate(() => {
      const texts = (what: string) =>
        [...document.querySelectorAll(`main .account__details__${what}`)].map((node) =>
          (node.textContent ?? "").trim(),
        );
      return { names: texts("name"), emails: texts("email") };
    });
    return ok(nameOf(look.names, look.emails));
  });
  return account.ok ? { name: account.value, details: [] } : undefined;
}

/** @throws SiteTrouble when the page does not name exactly one person. */
export function nameOf(names: readonly string[], emails: readonly string[]): string {
  const [name, ...others] = names;
  const [email, ...more] = emails;
  const masked = maskEmail(email ?? "");
  if (!name || others.length > 0 || more.length > 0 || masked === undefined)
    throw new SiteTrouble("the shop's account page cannot be read");
  return `${name} (${masked})`;
}

/** Enough of an address for its owner to know it: `a…@example.com`. */
export function maskEmail(email: string): string | undefined {
  const [, first, host] = /^(\S)\S*@([^\s@]+)$/u.exec(email) ?? [];
  return first === undefined || host === undefined ? undefined : `${first}…@${host}`;
}
