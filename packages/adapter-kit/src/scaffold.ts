import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files of a new adapter by their paths in its folder. */
export type Skeleton = ReadonlyMap<string, string>;

/** A skeleton is the kit's own example under another name: it is held to types and run like everything else here. */
const FILES: readonly (readonly [from: string, to: string])[] = [
  ["src/index.ts", "src/index.ts"],
  ["src/limits.ts", "src/limits.ts"],
  ["src/api.ts", "src/api.ts"],
  ["src/sign-in.ts", "src/sign-in.ts"],
  ["src/bills-list.ts", "src/bills-list.ts"],
  ["src/bill-pay.ts", "src/bill-pay.ts"],
  ["test/site.ts", "test/site.ts"],
  // Under its own name it would be taken for a test of the kit's.
  ["test/adapter-test.ts", "test/adapter.test.ts"],
  ["check.ts", "check.ts"],
];

export const ADAPTER_NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
export const ADAPTER_NAME_CHARS_MAX = 60;

/** @param name `my-shop`: what {@link ADAPTER_NAME} takes. */
export function skeletonFiles(name: string): Skeleton {
  const words = name.split("-");
  const title = words.map(capital).join(" ");
  const camel = words.map((word, at) => (at === 0 ? word : capital(word))).join("");
  const renamed = (text: string): string =>
    text.replaceAll("example-power", name).replaceAll("examplePower", camel).replaceAll("Example Power", title);
  const files = FILES.map(([from, to]): [string, string] => [
    to,
    renamed(readFileSync(fileURLToPath(new URL(`./template/${from}`, import.meta.url)), "utf8")),
  ]);
  return new Map([
    ...files,
    ["package.json", packageFile(name)],
    ["points.json", '{ "points": [] }\n'],
    ["README.md", readme(name, title)],
  ]);
}

function packageFile(name: string): string {
  const file = {
    name: `countersign-${name}`,
    version: "0.1.0",
    private: true,
    type: "module",
    exports: "./src/index.ts",
    scripts: { test: "countersign adapter test .", check: "countersign adapter check ." },
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function readme(name: string, title: string): string {
  return `# ${title}

An adapter of Countersign: one read and one commit, by the site's API.

- \`src/\`: the adapter; begin with \`index.ts\`. \`api.ts\` says what the site answers, \`bill-pay.ts\` is the commit.
- \`test/site.ts\`: a tiny site in memory, until you have the real one's sandbox.
- \`check.ts\`: what the checker runs.

\`\`\`sh
countersign adapter test ${name}     # this folder's own tests
countersign adapter check ${name}    # every fault; says which promises break
\`\`\`
`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
