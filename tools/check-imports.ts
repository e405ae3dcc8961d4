import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// The package order of docs/architecture.md as a rule: a package may import only packages that stand above it.
const root = fileURLToPath(new URL("..", import.meta.url));

const ORDER: readonly (readonly string[])[] = [
  ["packages/wire"],
  ["packages/profile"],
  ["packages/plugin", "packages/client"],
  ["packages/gateway"],
  ["routes/browser", "routes/http"],
  ["packages/adapter-kit"],
  [
    "adapters/practice-shop",
    "adapters/practice-bank",
    "adapters/practice-clinic",
    "adapters/practice-insurer",
    "adapters/practice-subscriptions",
    "adapters/practice-utility",
    "adapters/evershop",
    "adapters/vendure",
  ],
  ["protocols/mcp", "protocols/a2a", "protocols/web-bot-auth"],
  ["protocols/tap"],
  ["packages/console"],
  ["packages/practice"],
  ["packages/conformance"],
  ["packages/countersign"],
];
/** The gateway is reached by its contract alone from the pages; the practice world stands on its own. */
const TYPES_ONLY: ReadonlyMap<string, readonly string[]> = new Map([
  ["packages/console", ["@countersign/gateway/trusted-contract"]],
]);
const MAY_NOT: ReadonlyMap<string, readonly string[]> = new Map([
  ["packages/practice", ["@countersign/gateway", "@countersign/plugin", "@countersign/profile"]],
  ["adapters/practice-shop", ["@countersign/gateway"]],
  ["adapters/practice-bank", ["@countersign/gateway"]],
  ["adapters/practice-subscriptions", ["@countersign/gateway"]],
  ["adapters/practice-utility", ["@countersign/gateway"]],
  ["adapters/practice-clinic", ["@countersign/gateway"]],
  ["adapters/practice-insurer", ["@countersign/gateway"]],
  ["adapters/evershop", ["@countersign/gateway"]],
  ["adapters/vendure", ["@countersign/gateway"]],
  ["routes/browser", ["@countersign/gateway"]],
  ["routes/http", ["@countersign/gateway"]],
  // It plays the gateway by the adapter contract alone, so that it judges adapters and not the gateway.
  ["packages/adapter-kit", ["@countersign/gateway"]],
  ["packages/console", ["@countersign/gateway"]],
  // The suite judges a gateway from outside: it shares the contract with it, and nothing else.
  [
    "packages/conformance",
    ["@countersign/gateway", "@countersign/plugin", "@countersign/practice", "@countersign/adapter-practice-shop"],
  ],
]);

interface PackageFile {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const levels = new Map<string, number>();
const folders = new Map<string, string>();
const manifests = new Map<string, PackageFile>();
for (const [level, names] of ORDER.entries()) {
  for (const folder of names) {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as PackageFile;
    levels.set(manifest.name, level);
    folders.set(manifest.name, folder);
    manifests.set(folder, manifest);
  }
}

const problems: string[] = [];
for (const [level, names] of ORDER.entries()) {
  for (const folder of names) {
    for (const file of sources(join(root, folder, "src"))) check(folder, level, file);
  }
}

function check(folder: string, level: number, file: string): void {
  const text = readFileSync(file, "utf8");
  const at = relative(root, file);
  const isTest = /\.test\.tsx?$|\/fixture\.ts$|\/test\//.test(file);
  for (const match of text.matchAll(/^\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)/gm)) {
    const specifier = match[1] ?? match[2] ?? "";
    if (specifier.startsWith(".")) {
      const target = resolve(dirname(file), specifier);
      // A private PostgreSQL for tests is nobody's package.
      if (isTest && target.startsWith(`${join(root, "tools/postgres")}/`)) continue;
      if (!target.startsWith(`${join(root, folder)}/`))
        problems.push(`${at}: reaches into another package by path (${specifier})`);
      continue;
    }
    if (specifier.startsWith("node:")) continue;
    const name = specifier.startsWith("@")
      ? specifier.split("/").slice(0, 2).join("/")
      : (specifier.split("/")[0] ?? "");
    const manifest = manifests.get(folder);
    const declared =
      Object.hasOwn(manifest?.dependencies ?? {}, name) || Object.hasOwn(manifest?.devDependencies ?? {}, name);
    if (!declared && !isTest && name !== manifest?.name) problems.push(`${at}: ${name} is not in its package.json`);
    const other = levels.get(name);
    if (other === undefined) continue;
    if (other >= level && folders.get(name) !== folder && !isTest)
      problems.push(`${at}: ${name} does not stand above ${folder}`);
    const allowed = TYPES_ONLY.get(folder)?.includes(specifier) === true && /^\s*import\s+type/.test(match[0]);
    if (MAY_NOT.get(folder)?.includes(name) === true && !allowed)
      problems.push(`${at}: ${folder} may not use ${specifier}`);
  }
}

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
