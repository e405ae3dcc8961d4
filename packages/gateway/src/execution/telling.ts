import type { Secret } from "@countersign/wire";
import { SECRET_SCAN_CHARS_MIN } from "../limits.ts";

/**
 * Whether a value holds one of the session's own secrets (AUT-4), in its texts or its names. A secret too short to be
 * told from chance is no reason to lose anything.
 */
export function tellsSecret(value: unknown, secrets: readonly Secret<string>[]): boolean {
  const text = JSON.stringify(value) ?? "";
  return secrets.some((secret) => {
    const told = secret.reveal();
    // As it is, and as JSON writes it.
    return (
      told.length >= SECRET_SCAN_CHARS_MIN && (text.includes(told) || text.includes(JSON.stringify(told).slice(1, -1)))
    );
  });
}
