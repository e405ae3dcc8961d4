import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { titlesOf } from "../requirements/proofs.ts";

const root = join(import.meta.dirname, "..", "..");
const tests = "{packages,routes,adapters,proofs,tools,test}/**/*.test.ts";
/** `U31`, or a run of them: `U30-U33`. */
const named = /\bU(\d\d)(?:-U(\d\d))?\b/g;

/** What others were hurt by at the page where a person decides and signs in, each in a few words. */
export const lessons: ReadonlyMap<number, string> = new Map([
  [30, "characters that nobody sees hide a part of what is approved"],
  [31, "text that runs backwards, and letters that look like others"],
  [32, "one field is drawn safely, the others are not"],
  [33, "the page is safe, the copy in a message is not"],
  [34, "long texts push the harmful part out of sight"],
  [35, "a decision posted from another site's page"],
  [36, "the page inside another site's frame"],
  [37, "a decision whose answer is lost on the way to another page"],
  [38, "a preview spends a one-time link"],
  [39, "begun by one, finished by another"],
  [40, "a forwarded link opens for somebody else"],
  [41, "a guessed reference gives something out"],
  [42, "a disconnected account still acts"],
  [43, "one broken connection breaks the others, or says nothing"],
  [44, "nobody says whose account it is"],
  [45, "a session that is lost, or shared between tasks"],
  [46, "keys that arrive as others, and a watcher who drives"],
  [47, "a password that a model could see"],
]);

/** The files whose tests name a lesson in a title. */
export function provingFiles(): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const file of globSync(tests, { cwd: root, exclude: (name) => name === "node_modules" }).toSorted()) {
    const numbers = titlesOf(readFileSync(join(root, file), "utf8")).flatMap(lessonsIn);
    for (const number of new Set(numbers)) found.set(number, [...(found.get(number) ?? []), file]);
  }
  return found;
}

/** The lessons that a title names. */
export function lessonsIn(title: string): readonly number[] {
  return [...title.matchAll(named)].flatMap(([, first = "", last = first]) => {
    const length = Math.max(0, Number(last) - Number(first) + 1);
    return Array.from({ length }, (_, index) => Number(first) + index);
  });
}
