import { expect, it } from "vitest";
import { fuzzBench, fuzzVerifier } from "./fuzz/verifier-fuzz.ts";

const RUNS = 2_000;
/** A second when the machine is idle. */
const TIMEOUT_MS = 300_000;

it(
  "PLG-7 whatever is sent is answered, and nothing is verified that nobody signed",
  async () => {
    const count = await fuzzVerifier(await fuzzBench(), RUNS);
    // A run in which nothing came through, or everything did, shows nothing.
    expect(count.verified).toBeGreaterThan(RUNS / 50);
    expect(count.invalid).toBeGreaterThan(RUNS / 10);
  },
  TIMEOUT_MS,
);
