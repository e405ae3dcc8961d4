import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const TESTS = "{packages,routes,adapters,proofs,tools,test}/**/*.test.ts";
const TITLE = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^"'`]*?\))?\(\s*(["'`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const ID = /\b(?:REQ|AUT|CON|MFA|APR|STA|REC|PUB|MAP|PLG)-\d+\b/g;

export interface Proof {
  readonly file: string;
  readonly title: string;
}

/** Every requirement id that a test's title names, with the tests that name it. */
export function provingTests(): ReadonlyMap<string, readonly Proof[]> {
  const found = new Map<string, Proof[]>();
  for (const file of globSync(TESTS, { cwd: ROOT, exclude: (name) => name === "node_modules" })) {
    for (const title of titlesOf(readFileSync(join(ROOT, file), "utf8"))) {
      for (const id of new Set(title.match(ID))) found.set(id, [...(found.get(id) ?? []), { file, title }]);
    }
  }
  return found;
}

/** The titles of a test file, as written. */
export function titlesOf(source: string): readonly string[] {
  return [...source.matchAll(TITLE)].map((match) => match[2] ?? "");
}
