import type { BindingKeys } from "@countersign/gateway";
import { canonicalJson, digestOfText, type JsonObject } from "@countersign/wire";
import { A2A_PATH } from "../versions.ts";
import { type CardFacts, cardOf } from "./card.ts";
import { keySet, signCard } from "./sign.ts";

/** Where the keys stand that the card is signed with. */
export const KEYS_PATH = `${A2A_PATH}/card-keys.json`;
const CACHE = "public, max-age=300";

/** The card as it was signed at the start, and the keys; the same bytes for everybody until the next start. */
export interface ServedCard {
  readonly facts: CardFacts;
  readonly keys: BindingKeys;
  readonly card: Document;
  readonly keySet: Document;
}

interface Document {
  readonly text: string;
  readonly etag: string;
}

export async function serveCard(facts: CardFacts, keys: BindingKeys): Promise<ServedCard> {
  const card = await signCard(cardOf(facts), keys, `${facts.issuer}${KEYS_PATH}`);
  return { facts, keys, card: await documentOf(card), keySet: await documentOf(keySet(keys)) };
}

async function documentOf(json: JsonObject): Promise<Document> {
  const text = canonicalJson(json);
  return { text, etag: `"${await digestOfText(text)}"` };
}

export function answerDocument(request: Request, { text, etag }: Document): Response {
  const headers = { etag, "cache-control": CACHE, "content-type": "application/json" };
  const known = (request.headers.get("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return known.includes(etag) ? new Response(null, { status: 304, headers }) : new Response(text, { headers });
}
