import { createHash, randomBytes } from "node:crypto";

const ID_BYTES = 20;

/** Opaque and unguessable: 160 random bits behind a prefix that says what it names (REQ-2). */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString("base64url").replaceAll("-", "A").replaceAll("_", "B")}`;
}

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Bearer values are stored as their SHA-256 only. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("base64url");
}
