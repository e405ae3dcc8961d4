import {
  checkRecord,
  fromBase64Url,
  type JsonObject,
  parseHttpUrl,
  parseInstant,
  parseOrigin,
} from "@countersign/wire";
import { z } from "zod";

// Zod compiles schemas with `new Function` otherwise, which a page under our Content-Security-Policy refuses.
z.config({ jitless: true });

/** 32 bytes of SHA-256 in base64url, in the one spelling that leaves the unused bits zero. */
export const digestText = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, "a SHA-256 digest in base64url");

/** 128 random bits in base64url: nonces and salts. */
export const random128 = z.string().regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, "16 bytes in base64url");

/** Exactly `YYYY-MM-DDTHH:MM:SSZ`: one spelling for each second, so that texts compare as times do. */
export const recordTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .refine((text) => parseInstant(text).ok, "a UTC time, YYYY-MM-DDTHH:MM:SSZ");

/** Raw bytes in base64url without padding. */
export function bytesText(maxBytes: number) {
  return z
    .string()
    .min(1)
    .max(Math.ceil((maxBytes * 4) / 3))
    .regex(/^[A-Za-z0-9_-]+$/)
    .refine((text) => fromBase64Url(text).ok, "base64url without padding");
}

/** The gateway's identifier: an http(s) URL without query, fragment or closing slash. Compared letter by letter. */
export const issuerUrl = z
  .string()
  .max(255)
  .refine((text) => parseHttpUrl(text).ok && !/[?#]|\/$/.test(text), "an http(s) URL without query or fragment");

/** An origin as the URL standard writes it. */
export const originText = z.string().max(255).refine(isOrigin, "an origin: scheme, host and port");

function isOrigin(text: string): boolean {
  const origin = parseOrigin(text);
  return origin.ok && origin.value === text;
}

/** A word of our own vocabularies. */
export const word = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_.-]*$/);

/** Names inside records (approval-evidence section 3). */
export const memberName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9_]+$/);

/** A compact JWS; what is in it is read by `readSigned`. */
export const compactJws = z.string().regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/, "a compact JWS");

/** Text of people and sites: well-formed; its characters are kept and the renderer shows what they are. */
export function freeText(maxChars: number) {
  return z
    .string()
    .max(maxChars)
    .refine((text) => text.isWellFormed(), "well-formed Unicode");
}

/**
 * Members whose meaning lies elsewhere (terms, parameters, limits): any object within the record profile. The schema of
 * the operation judges them, so that nothing here knows a trade.
 */
export const recordObject: z.ZodType<JsonObject, JsonObject> = z
  .record(z.string(), z.json())
  .refine((value) => checkRecord(value).ok, "an object within the record profile");
