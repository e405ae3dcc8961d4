// Which operations there are is what files there are: `npm run catalogue` writes the list, and a test holds it.

/** `retail.order.submit.ts` exports `retailOrderSubmit`. */
export function exportNameOf(file: string): string {
  const [first = "", ...rest] = file.replace(/\.ts$/, "").split(".");
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** The text of `all.ts`, from the names of the files in `operations/`. */
export function listFile(names: readonly string[]): string {
  const files = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts")).sort();
  return [
    "// Written by `npm run catalogue` from the files in operations/: add an operation there, never here.",
    'import type { Operation } from "./model.ts";',
    ...files.map((file) => `import { ${exportNameOf(file)} } from "./operations/${file}";`),
    "",
    "export const ALL: readonly Operation[] = [",
    ...files.map((file) => `  ${exportNameOf(file)},`),
    "];",
    "",
  ].join("\n");
}
