import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { CONSOLE_STYLE_HASHES } from "./csp.ts";

const aria = dirname(createRequire(import.meta.url).resolve("react-aria/package.json"));

/** The text of the style that a module of the library injects: the template literal given to the element. */
function injected(path: string): string {
  const source = readFileSync(join(aria, "dist/private", path), "utf8");
  const after = source.slice(source.indexOf("createElement('style')"));
  const start = after.indexOf("`") + 1;
  const text = after.slice(start, after.indexOf("`", start));
  const attribute = /PRESSABLE_ATTRIBUTE = '([^']+)'/.exec(source)?.[1] ?? "";
  return text.replace(/\$\{[^}]*PRESSABLE_ATTRIBUTE[^}]*\}/g, attribute).trim();
}

it("the style hashes of the policy are those of the library's own text", () => {
  const made = ["interactions/usePress.mjs", "overlays/usePreventScroll.mjs"].map(
    (path) => `'sha256-${createHash("sha256").update(injected(path)).digest("base64")}'`,
  );
  expect(CONSOLE_STYLE_HASHES).toEqual(made);
});
