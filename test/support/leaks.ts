import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Places where one of the secrets stands in plain text, by name. Digits count only when they stand alone. */
export function leaks(
  secrets: Readonly<Record<string, string>>,
  places: ReadonlyMap<string, string | Uint8Array>,
): string[] {
  return [...places].flatMap(([place, content]) =>
    Object.entries(secrets)
      .filter(([, value]) => holds(content, value))
      .map(([name]) => `${name} in ${place}`),
  );
}

/** Every file below the folders, with its bytes. */
export function filesBelow(...folders: readonly string[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files.set(path, readFileSync(path));
    }
  }
  return files;
}

function holds(content: string | Uint8Array, value: string): boolean {
  const texts =
    typeof content === "string"
      ? [content, ...signedParts(content)]
      : [Buffer.from(content).toString("latin1"), Buffer.from(content).toString("utf16le")];
  // Six digits of a code turn up by chance within longer numbers.
  const pattern = /^\d+$/.test(value) ? new RegExp(`(?<!\\d)${value}(?!\\d)`) : undefined;
  return texts.some((text) => (pattern === undefined ? text.includes(value) : pattern.test(text)));
}

/** What compact JWS in a text say. */
export function signedParts(text: string): string[] {
  return (text.match(/eyJ[\w-]+/g) ?? []).map((part) => Buffer.from(part, "base64url").toString("utf8"));
}
