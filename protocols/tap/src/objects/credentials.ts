import { nodeCrypto } from "@countersign/web-bot-auth/signatures";

/** What a shopper typed into a card form. Digits only; never logged, kept or put into an error. */
export interface TypedCard {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly securityCode: string;
}

/** How the hash is written is not published; whoever compares says which form. */
export type HashEncoding = "hex" | "base64" | "base64url";

/** Whether a container's hash is of the card that was typed; a mismatch declines. SHA-256 over the four, one after the other. */
export async function matchesCard(hash: string, card: TypedCard, encoding: HashEncoding): Promise<boolean> {
  const { number, expiryMonth, expiryYear, securityCode } = card;
  const bytes = new TextEncoder().encode(`${number}${expiryMonth}${expiryYear}${securityCode}`);
  const digest = nodeCrypto
    ? new Uint8Array(nodeCrypto.createHash("sha256").update(bytes).digest())
    : new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const own = written(digest, encoding);
  const given = encoding === "hex" ? hash.toLowerCase() : hash;
  let difference = own.length ^ given.length;
  for (let i = 0; i < own.length; i += 1) difference |= own.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}

function written(bytes: Uint8Array, encoding: HashEncoding): string {
  if (encoding === "hex") return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const text = btoa(String.fromCharCode(...bytes));
  return encoding === "base64" ? text : text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
