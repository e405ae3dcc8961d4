import { isLoopbackHost } from "@countersign/wire";

/** The program that the practice bank knows: a public client, so PKCE is all that proves it. */
export const CLIENT_ID = "countersign-practice";
export const SCOPES: Readonly<Record<string, string>> = {
  accounts: "See your accounts, balances, transactions, payees and points",
  transfers: "Prepare transfers to payees that you have saved, and send them",
};

/** Only this machine may be sent a code, at any port (RFC 8252 section 7.3). */
export function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === "http:" && isLoopbackHost(url.hostname) && url.hash === "";
}

/** The wanted scopes, in the bank's own order; undefined when one is unknown or none is named. */
export function readScope(text: string): string | undefined {
  const wanted = text.split(" ").filter((scope) => scope !== "");
  if (wanted.length === 0 || !wanted.every((scope) => Object.hasOwn(SCOPES, scope))) return undefined;
  return Object.keys(SCOPES)
    .filter((scope) => wanted.includes(scope))
    .join(" ");
}
