/**
 * Countersign beside implementations that are not ours and not of our libraries: `npm run interop [-- WORD]`. Foreign
 * MCP and A2A clients (Python) buy at a gateway, and a gateway buys at foreign MCP and A2A servers; a foreign
 * implementation of HTTP message signatures reads ours, and ours reads its.
 */
import { A2A_SCENARIOS } from "./a2a.ts";
import { IDENTITY_SCENARIOS } from "./identity.ts";
import { MCP_SCENARIOS } from "./mcp.ts";
import { foreignPython } from "./python.ts";

const asked = process.argv[2] ?? "";
if (asked === "--help") {
  console.log(`Usage: npm run interop [-- WORD]

Needs python3 with its package index; the foreign libraries are installed once, into the user's cache folder.
WORD: only what has the word in its name.`);
  process.exit(0);
}
const python = await foreignPython();
if (python === undefined) {
  console.log("There is no python3 that can make a virtual environment here.\n0 passed, 1 failed");
  process.exit(1);
}
const counts = { passed: 0, failed: 0 };
const all = [...MCP_SCENARIOS, ...A2A_SCENARIOS, ...IDENTITY_SCENARIOS];
for (const { name, play } of all.filter((one) => one.name.includes(asked))) {
  const problem = await play(python).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  counts[problem === undefined ? "passed" : "failed"] += 1;
  console.log(`${problem === undefined ? "ok    " : "FAILED"}  ${name}`);
  if (problem !== undefined) console.log(problem.replace(/^/gm, "          "));
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);
