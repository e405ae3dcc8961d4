import { startPracticeWorld } from "@countersign/practice";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { untilStopped } from "../setup/until-stopped.ts";

const PORT_MAX = 65_500;

export const practiceCommand: Command = {
  name: "practice",
  help: `Usage: countersign practice [--json] [--port N]

Opens the practice world on this machine: a shop and a bank, each with pages, an API, a sign-in with a second
factor and real-looking data, and a switchboard where you let them misbehave and read what they counted.
Nothing is real there. Runs until Ctrl+C.

  --json     prints the addresses as one JSON document
  --port N   the switchboard's port; the sites are on the next ones (default: free ports)`,
  async run(args) {
    const parsed = readArgs(args, { json: { type: "boolean" }, port: { type: "string" } });
    if (!parsed.ok) return usageError(practiceCommand, parsed.reason);
    const { port, json } = parsed.value.values;
    if (port !== undefined && (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > PORT_MAX))
      return usageError(practiceCommand, `--port takes a number up to ${PORT_MAX}`);
    const world = await open(port === undefined ? {} : { port: Number(port) });
    if (world === undefined) {
      say(`countersign practice: a port is taken; choose another with --port, or leave it out.`);
      return 1;
    }
    try {
      const { board, shop, bank } = world;
      if (json === true) print(JSON.stringify({ board, sites: { shop: shop.origin, bank: bank.origin } }));
      else {
        say(`Switchboard  ${board}   (passwords, codes, faults and counters)`);
        say(`Shop         ${shop.origin}`);
        say(`Bank         ${bank.origin}`);
        say("\nTo act in them through a gateway, name them as its destinations:");
        say(`  "destinations": [`);
        say(`    { "id": "practice-shop", "site": "practice-shop", "origin": "${shop.origin}" },`);
        say(`    { "id": "practice-bank", "site": "practice-bank", "origin": "${bank.origin}" }`);
        say("  ]");
        say("\nCtrl+C ends them.");
      }
      await untilStopped();
      return 0;
    } finally {
      await world.close();
    }
  },
};

async function open(options: Parameters<typeof startPracticeWorld>[0]) {
  try {
    return await startPracticeWorld(options);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined;
    throw error;
  }
}
