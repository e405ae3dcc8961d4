import { isJsonObject, type Json, type JsonObject, parseHttpUrl } from "@countersign/wire";
import type { AgentCard } from "./shape.ts";

/** What is remembered of the card that was taken last: enough to see that a later one is less safe. */
export interface CardPin {
  /** Digest of the card without its signatures. */
  readonly digest: string;
  readonly signed: boolean;
  readonly required: readonly string[];
  readonly origins: readonly string[];
  /** Names of the schemes that callers may be asked to meet. */
  readonly schemes: readonly string[];
}

const VERSION = 1;

export function pinOf(card: AgentCard, digest: string, signed: boolean): CardPin {
  return {
    digest,
    signed,
    required: card.capabilities.extensions.filter(({ required }) => required).map(({ uri }) => uri),
    origins: originsOf(card),
    schemes: [...new Set(card.securityRequirements.flatMap(({ schemes }) => Object.keys(schemes)))],
  };
}

function originsOf(card: AgentCard): readonly string[] {
  const urls = card.supportedInterfaces.map(({ url }) => parseHttpUrl(url));
  return [...new Set(urls.flatMap((url) => (url.ok ? [url.value.origin] : [])))];
}

/**
 * How a changed card is less safe than the one before (a2a.md section 6, rule 6): a signature gone, a required extension
 * no longer required, an interface at an origin that was not there, a way in that was not there. Undefined if it is not.
 */
export function downgrade(before: CardPin, after: CardPin): string | undefined {
  if (before.signed && !after.signed) return "signature";
  if (before.required.some((uri) => !after.required.includes(uri))) return "required_extension";
  if (after.origins.some((origin) => !before.origins.includes(origin))) return "origin";
  if (after.schemes.some((scheme) => !before.schemes.includes(scheme))) return "security_scheme";
  return undefined;
}

export function pinToJson(pin: CardPin): JsonObject {
  const { digest, signed, required, origins, schemes } = pin;
  return { v: VERSION, digest, signed, required: [...required], origins: [...origins], schemes: [...schemes] };
}

/** Undefined for what this version cannot read; whoever asks then takes it for a downgrade, never for no pin. */
export function pinFromJson(value: Json): CardPin | undefined {
  if (value === null || typeof value !== "object" || !isJsonObject(value) || value["v"] !== VERSION) return undefined;
  const { digest, signed } = value;
  const required = texts(value["required"]);
  const origins = texts(value["origins"]);
  const schemes = texts(value["schemes"]);
  if (typeof digest !== "string" || typeof signed !== "boolean") return undefined;
  if (required === undefined || origins === undefined || schemes === undefined) return undefined;
  return { digest, signed, required, origins, schemes };
}

function texts(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}
