/** Countersign at a real shop engine's API, end to end: `npm run e2e:vendure [-- pattern for titles]`. */
import { scenarios } from "./e2e/scenarios.ts";
import { openWorld, type World } from "./e2e/world.ts";
import { runMs } from "./limits.ts";

const wanted = new RegExp(process.argv.slice(2).join(" "));
const startedAt = performance.now();
const say = (line: string) => {
  process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
};
const undo: (() => Promise<void>)[] = [];

async function close(): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step().catch((cause) => say(String(cause)));
}

async function runAll(world: World): Promise<{ readonly passed: number; readonly failed: number }> {
  let passed = 0;
  let failed = 0;
  for (const scenario of scenarios) {
    if (!wanted.test(scenario.title)) continue;
    world.proxy.forget();
    try {
      await scenario.run(world);
      passed += 1;
      say(`passed  ${scenario.title}`);
    } catch (cause) {
      failed += 1;
      say(`FAILED  ${scenario.title}\n${cause instanceof Error ? cause.stack : String(cause)}`);
      // What it left in the cart is not the next one's.
      await world.phone.emptyCart().catch(() => {});
    }
  }
  return { passed, failed };
}

const late = setTimeout(() => {
  say("the run takes too long");
  process.exitCode = 1;
  void close().finally(() => process.exit(1));
}, runMs);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void close().finally(() => process.exit(130)));
}
try {
  const { passed, failed } = await runAll(await openWorld(say, undo));
  await close();
  say(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} catch (cause) {
  say(`FAILED  ${cause instanceof Error ? cause.stack : String(cause)}`);
  await close();
  process.exitCode = 1;
} finally {
  clearTimeout(late);
}
