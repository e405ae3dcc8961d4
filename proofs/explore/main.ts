import { parseArgs } from "node:util";
import { LONG, SHORT } from "./bounds.ts";
import { explore } from "./search.ts";

// `npm run explore`: every world that the machine and its surroundings can come to, within each of the bounds.

const HELP = `Explores the task machine together with its surroundings, completely, within small bounds.

  npm run explore                 all bounds (minutes)
  npm run explore -- --short      the bounds of the test suite (seconds)
  npm run explore -- --only TEXT  the bounds whose name holds TEXT
  npm run explore -- --quiet      without a line per depth

A task changes by the gateway's own step() and crosses by its own judgeCrossing(). In every world it is checked that no
task is ordered twice, nothing crosses without a live approval or after revocation or expiry, nothing submitted is
called stopped, and every task can still be settled (STA-6). The first violation ends the run, with the shortest way to it.
Exit code 0: none was found. 1: one was found. 2: the arguments are wrong.
`;

const PROGRESS_MS = 5_000;

function main(): number {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", default: false },
      short: { type: "boolean", default: false },
      only: { type: "string" },
      quiet: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const chosen = (values.short ? SHORT : LONG).filter((b) => values.only === undefined || b.name.includes(values.only));
  if (chosen.length === 0) {
    console.error("No bounds have that in their name.");
    return 2;
  }
  const sums = { states: 0, transitions: 0, ms: 0 };
  for (const bounds of chosen) {
    console.log(`\n${bounds.name}`);
    let told = performance.now();
    const result = explore(bounds, undefined, ({ depth, states, waiting }) => {
      if (values.quiet || performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      console.log(`  depth ${depth}: ${count(states)} states, ${count(waiting)} to go on from`);
    });
    sums.states += result.states;
    sums.transitions += result.transitions;
    sums.ms += result.ms;
    console.log(
      `  ${count(result.states)} states, ${count(result.transitions)} transitions, depth ${result.depth}, ${seconds(result.ms)}`,
    );
    if (result.violation !== undefined) {
      console.log(`\nVIOLATION: ${result.violation.what}`);
      for (const [index, line] of result.violation.trace.entries()) console.log(`  ${index + 1}. ${line}`);
      return 1;
    }
  }
  console.log(
    `\n${chosen.length} bounds, ${count(sums.states)} states, ${count(sums.transitions)} transitions, ${seconds(sums.ms)}: no violation`,
  );
  return 0;
}

function count(n: number): string {
  return n.toLocaleString("en");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

process.exitCode = main();
