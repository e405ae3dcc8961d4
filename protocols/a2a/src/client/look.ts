import type { Fetch } from "@countersign/plugin";
import {
  err,
  fromBase64Url,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  parseJson,
  type Result,
} from "@countersign/wire";
import { negotiate } from "../card/read/extensions.ts";
import { type ParsedCard, parseCard } from "../card/read/parse.ts";
import { type CardProblem, cardProblem } from "../card/read/problem.ts";
import { GET_TASK_NAME, getTaskDigest, skillDigest } from "./agent.ts";

/** What an agent's card says, for an operator who is about to bind its skills. A stranger's text: nothing of it is checked. */
export interface LookedAt {
  /** What `acceptedCard` would name. */
  readonly digest: string;
  readonly name: string;
  /** Who claims to have signed it, and where the key is said to be. */
  readonly signatures: readonly JsonObject[];
  readonly interfaces: readonly JsonObject[];
  /** How callers have to prove themselves, as the card says it. */
  readonly security: { readonly schemes: Json; readonly requirements: Json };
  readonly extensions: readonly { readonly uri: string; readonly required: boolean }[];
  /** What is wrong with its extensions, whoever speaks them. */
  readonly problem?: CardProblem;
  readonly skills: readonly { readonly name: string; readonly digest: string; readonly definition: JsonObject }[];
}

/** Fetches a card and calls nothing. */
export async function lookAtCard(url: URL, fetch: Fetch): Promise<Result<LookedAt, CardProblem>> {
  let bytes: Uint8Array;
  try {
    const answer = await fetch(new Request(url, { headers: { accept: "application/json" }, redirect: "manual" }));
    if (answer.status !== 200) return err(cardProblem("unreachable"));
    bytes = new Uint8Array(await answer.arrayBuffer());
  } catch {
    return err(cardProblem("unreachable"));
  }
  const parsed = await parseCard(bytes);
  return parsed.ok ? ok(await lookedAt(parsed.value)) : parsed;
}

async function lookedAt({ raw, card, digest }: ParsedCard): Promise<LookedAt> {
  const { extensions } = card.capabilities;
  // As if all were spoken: what is left is wrong for everybody.
  const judged = negotiate(
    extensions,
    extensions.map(({ uri }) => ({ uri, accepts: () => true })),
  );
  const definitions = Array.isArray(raw["skills"]) ? (raw["skills"] as readonly Json[]) : [];
  const skills = await Promise.all(
    card.skills.map(async (skill) => {
      const found = definitions.find((each) => isJsonObject(each) && each["id"] === skill.id);
      return { name: skill.id, digest: await skillDigest(skill), definition: (found ?? {}) as JsonObject };
    }),
  );
  return {
    digest,
    name: card.name,
    signatures: card.signatures.map((signature) => headerOf(signature.protected)),
    interfaces: card.supportedInterfaces.map((each) => ({ ...each })),
    security: { schemes: raw["securitySchemes"] ?? {}, requirements: raw["securityRequirements"] ?? [] },
    extensions: extensions.map(({ uri, required }) => ({ uri, required })),
    ...(judged.ok ? {} : { problem: judged.reason }),
    skills: [...skills, { name: GET_TASK_NAME, digest: await getTaskDigest(), definition: {} }],
  };
}

function headerOf(protectedHeader: string): JsonObject {
  const bytes = fromBase64Url(protectedHeader);
  const parsed = bytes.ok ? parseJson(bytes.value) : undefined;
  return parsed?.ok && isJsonObject(parsed.value) ? parsed.value : {};
}
