/**
 * The official MCP suite against this gateway: `npm run conformance:mcp [-- fixtures|gateway|client]`. Three times by both
 * revisions: with the suite's own demonstration tools on our serving stack, where everything required has to pass, the
 * real door, and the route to upstream servers as a client. A scenario fails only if it stands, with its reason, in
 * expected/.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { conformancePlugin, mcpPlugin } from "@countersign/protocol-mcp/conformance";
import { mcpWorld } from "../../test/support/mcp.ts";
import { openDoor } from "./door.ts";
import { installedSuite } from "./install.ts";
import { run } from "./run.ts";

const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
const DOORS = { fixtures: conformancePlugin, gateway: mcpPlugin } as const;
const TOKEN_LIFE_MS = 200_000;
/** The suite starts all its clients at once; its own 30 seconds are for a machine with a core for each. */
const PATIENCE = ["--timeout", "240000"] as const;

const asked = process.argv[2];
const program = await installedSuite();
const results = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
const ends: string[] = [];
let failed = false;
for (const [name, plugin] of Object.entries(DOORS)) {
  if (asked !== undefined && asked !== name) continue;
  const ready = await mcpWorld({}, plugin);
  let token = ready.token;
  // A token lives five minutes, and the suite may take longer.
  const renewal = setInterval(async () => {
    token = await ready.agent.tokenFor(ready.url);
  }, TOKEN_LIFE_MS);
  const door = await openDoor(ready.world.issuer, () => token);
  for (const revision of REVISIONS) {
    const expected = fileURLToPath(new URL(`./expected/${name}-${revision}.yaml`, import.meta.url));
    const args = [
      "server",
      "--url",
      `${door.url}/mcp`,
      "--requirements",
      revision,
      "--expected-failures",
      expected,
      ...PATIENCE,
    ];
    const code = await run(process.execPath, [program, ...args], results);
    ends.push(`${code === 0 ? "passed" : "FAILED"}  ${name}, ${revision}`);
    failed ||= code !== 0;
  }
  clearInterval(renewal);
  door.close();
  await ready.world.close();
}
for (const revision of asked === undefined || asked === "client" ? REVISIONS : []) {
  const command = `${process.execPath} ${fileURLToPath(new URL("./client/main.ts", import.meta.url))}`;
  const expected = fileURLToPath(new URL(`./expected/client-${revision}.yaml`, import.meta.url));
  const args = [
    "client",
    "--command",
    command,
    "--requirements",
    revision,
    "--expected-failures",
    expected,
    ...PATIENCE,
  ];
  const code = await run(process.execPath, [program, ...args], results);
  ends.push(`${code === 0 ? "passed" : "FAILED"}  client, ${revision}`);
  failed ||= code !== 0;
}
rmSync(results, { recursive: true, force: true });
const passed = ends.filter((end) => end.startsWith("passed")).length;
console.log(`\n${ends.join("\n")}\n${passed} passed, ${ends.length - passed} failed`);
process.exit(failed ? 1 : 0);
