import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { workingCopy } from "./copy.ts";
import { MUTANTS } from "./list.ts";
import type { Mutant } from "./mutant.ts";

const RUN_MS = 300_000;
const HELP = `Usage: npm run mutants -- [--only TEXT] [--from N] [--to N]

Takes one guard at a time out of a copy of the source and runs the tests that have to notice. Exit 0 only when every
mutant was noticed (and each of those runs passes on the source as it is: --honest).`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    from: { type: "string", default: "0" },
    to: { type: "string" },
    honest: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const copy = workingCopy();
const chosen = MUTANTS.slice(Number(values.from), values.to === undefined ? undefined : Number(values.to)).filter(
  (m) => values.only === undefined || m.name.includes(values.only),
);
const survivors: string[] = [];
for (const mutant of chosen) {
  const started = performance.now();
  const noticed = values.honest ? !fails(mutant) : withPatch(mutant, () => fails(mutant));
  if (!noticed) survivors.push(mutant.name);
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${noticed ? (values.honest ? "passes " : "killed ") : "SURVIVED"} ${mutant.name} (${seconds} s)`);
}
rmSync(copy, { recursive: true, force: true });
console.log(`mutants ${chosen.length}, survived ${survivors.length}`);
process.exit(survivors.length === 0 ? 0 : 1);

function withPatch(mutant: Mutant, work: () => boolean): boolean {
  const path = join(copy, mutant.file);
  const source = readFileSync(path, "utf8");
  const patches = [mutant, ...(mutant.also === undefined ? [] : [mutant.also])];
  if (patches.some(({ find }) => source.split(find).length !== 2))
    throw new Error(`${mutant.name}: its text is not in ${mutant.file} once`);
  writeFileSync(
    path,
    patches.reduce((text, { find, replace }) => text.replace(find, () => replace), source),
  );
  try {
    return work();
  } finally {
    writeFileSync(path, source);
  }
}

function fails(mutant: Mutant): boolean {
  const args = ["run", "--project", "main", "--maxWorkers=1", "--bail=1", ...mutant.run];
  const { status } = spawnSync(join(copy, "node_modules", ".bin", "vitest"), args, {
    cwd: copy,
    stdio: "ignore",
    timeout: RUN_MS,
  });
  return status !== 0;
}
