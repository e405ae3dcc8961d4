import { parseArgs } from "node:util";
import { fuzzBench, fuzzVerifier } from "./verifier-fuzz.ts";

// `npm run fuzz:identity`: the verifier against a million bent requests.

const HELP = `Sends bent requests to the Web Bot Auth verifier: signed ones whose headers, target, method or body were changed.

  npm run fuzz:identity                    a million
  npm run fuzz:identity -- --runs N        as many
  npm run fuzz:identity -- --seed N        the same again

Exit code 0: every one was answered, and nothing was verified that nobody signed. 1: one was not; the shortest is printed.
`;
const RUNS = 1_000_000;

const { values } = parseArgs({
  options: { help: { type: "boolean", default: false }, runs: { type: "string" }, seed: { type: "string" } },
});
if (values.help) console.log(HELP);
else {
  const runs = values.runs === undefined ? RUNS : Number(values.runs);
  const seed = values.seed === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(values.seed);
  const started = performance.now();
  console.log(`seed ${seed}, ${runs} requests`);
  const count = await fuzzVerifier(await fuzzBench(), runs, seed);
  console.log(JSON.stringify(count), `in ${Math.round((performance.now() - started) / 1000)} s`);
}
