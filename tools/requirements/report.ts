import { provingTests } from "./proofs.ts";
import { REQUIREMENTS } from "./requirements.ts";

// `npm run requirements`: which tests prove which line.
const proofs = provingTests();
for (const { id, says, due } of REQUIREMENTS) {
  const tests = proofs.get(id) ?? [];
  console.log(
    `${id.padEnd(7)} ${tests.length === 0 && due === "later" ? "not built yet" : `${tests.length} tests`}: ${says}`,
  );
  if (process.argv.includes("--tests")) for (const { file, title } of tests) console.log(`          ${file}: ${title}`);
}
