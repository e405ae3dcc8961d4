import { type PracticeWorld, startPracticeWorld } from "@countersign/practice";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";
import { untilStopped } from "../setup/until-stopped.ts";

const PORT_MAX = 65_500;
const NAME_WIDTH = "Switchboard  ".length;

export const practiceCommand: Command = {
  name: "practice",
  help: `Usage: countersign practice [--json] [--port N]

Opens the practice world on this machine: sites of several kinds (a shop, a bank, a clinic …), each with pages, an
API, a sign-in with a second factor and real-looking data, and a switchboard where you let them misbehave and read
what they counted.
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
      const which = port === undefined ? "a port" : `port ${port}, or one of those after it,`;
      say(`countersign practice: ${which} is taken; choose another with --port, or leave it out.`);
      return 1;
    }
    try {
      const { board } = world;
      const sites = sitesOf(world);
      if (json === true)
        print(JSON.stringify({ board, sites: Object.fromEntries(sites.map(({ name, origin }) => [name, origin])) }));
      else {
        say(`Switchboard  ${board}   (passwords, codes, faults and counters)`);
        for (const { name, origin } of sites)
          say(`${name.charAt(0).toUpperCase()}${name.slice(1)}`.padEnd(NAME_WIDTH) + origin);
        say("\nTo act in them through a gateway, name them as its destinations:");
        say(`  "destinations": [`);
        for (const [at, { name, ...where }] of sites.entries()) {
          const site = `practice-${name}`;
          say(`    ${JSON.stringify({ id: site, site, ...where })}${at < sites.length - 1 ? "," : ""}`);
        }
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

/** Each site with the name by which its adapter knows it: `practice-NAME`. */
function sitesOf({ shop, bank, clinic, utility, subscriptions, insurer }: PracticeWorld): readonly {
  readonly name: string;
  readonly origin: string;
  readonly alsoOrigins?: readonly string[];
}[] {
  const alone = Object.entries({ shop, bank, clinic, utility, subscriptions });
  return [
    ...alone.map(([name, { origin }]) => ({ name, origin })),
    // Its claim form stands in a frame of another company's.
    { name: "insurer", origin: insurer.origin, alsoOrigins: [insurer.claimsOrigin] },
  ];
}

async function open(options: Parameters<typeof startPracticeWorld>[0]) {
  try {
    return await startPracticeWorld(options);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined;
    throw error;
  }
}
