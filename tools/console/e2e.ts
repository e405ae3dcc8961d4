/** The trusted interface as newcomers meet it, end to end: `npm run e2e:console`. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "@countersign/route-browser";
import { chromium } from "playwright-core";
import { ensureConsole } from "../../packages/countersign/src/setup/console-build.ts";
import { Album } from "./album.ts";
import { type Counts, runProofs, tellProofs } from "./lessons-run.ts";
import { journeyMs } from "./limits.ts";
import { scenarios } from "./scenarios.ts";
import { Stage } from "./stage.ts";

const help = `Usage: npm run e2e:console [-- [--journey] [PATTERN]]

Starts the demonstration as a newcomer does and walks through it in a real browser, at a desk and on a phone, by what
stands on the pages; then tries what can go wrong at the same gateway. Pictures of every page go to artefacts/console/.
Afterwards it runs the tests of all that others were hurt by at such pages, and prints which proves what.

  --journey   the walks alone, without those tests
  PATTERN     only scenarios whose title matches; implies --journey`;

const folder = join(import.meta.dirname, "..", "..", "artefacts", "console");
const startedAt = performance.now();
const undo: (() => Promise<void>)[] = [];

function say(line: string): void {
  process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
}

async function close(): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step().catch((cause) => say(String(cause)));
}

async function openStage(): Promise<Stage> {
  const executable = findChromium(process.env);
  if (!executable.ok) throw new Error("no Chromium was found");
  const built = await ensureConsole(say);
  if (!built.ok) throw new Error(built.reason);
  const browser = await chromium.launch({
    executablePath: executable.value,
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    // Ctrl+C is answered here: the demonstration ends first, then the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  undo.push(() => browser.close());
  const stage = new Stage(browser, Album.open(folder), say);
  undo.push(() => stage.close());
  return stage;
}

async function walk(wanted: RegExp): Promise<Counts> {
  const late = setTimeout(() => {
    say("the journey takes too long");
    void close().finally(() => process.exit(1));
  }, journeyMs);
  let passed = 0;
  let failed = 0;
  try {
    const stage = await openStage();
    for (const scenario of scenarios) {
      if (!wanted.test(scenario.title)) continue;
      try {
        await scenario.run(stage, say);
        passed += 1;
        say(`passed  ${scenario.title}`);
      } catch (cause) {
        failed += 1;
        say(`FAILED  ${scenario.title}\n${cause instanceof Error ? cause.stack : String(cause)}`);
        await stage.lookAtFailure().catch(() => {});
      }
    }
  } catch (cause) {
    failed += 1;
    say(`FAILED  ${cause instanceof Error ? cause.stack : String(cause)}`);
  } finally {
    clearTimeout(late);
    await close();
  }
  say(`        pictures: ${folder}`);
  return { passed, failed };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" }, journey: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help === true) return console.log(help);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void close().finally(() => process.exit(130)));
  }
  const journeyOnly = values.journey === true || positionals.length > 0;
  const counts = [await walk(new RegExp(positionals.join(" "))), tellProofs(say)];
  if (!journeyOnly) counts.push(await runProofs(say));
  const sum = (which: keyof Counts) => counts.reduce((total, each) => total + each[which], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  process.exitCode = sum("failed") === 0 && sum("passed") > 0 ? 0 : 1;
}

await main();
