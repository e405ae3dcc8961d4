import { type Command, print, say } from "./cli.ts";

interface Listed {
  readonly name: string;
  readonly summary: string;
  /** Loaded when it is called: no command pays for what another one needs. */
  load(): Promise<Command>;
}

const COMMANDS: readonly Listed[] = [
  {
    name: "start",
    summary: "start a gateway and print the first sign-in link",
    load: async () => (await import("./commands/start.ts")).startCommand,
  },
  {
    name: "demo",
    summary: "a purchase at the practice shop, end to end",
    load: async () => (await import("./commands/demo.ts")).demoCommand,
  },
  {
    name: "practice",
    summary: "a shop and a bank where nothing is real, with a switchboard for what goes wrong",
    load: async () => (await import("./commands/practice.ts")).practiceCommand,
  },
  {
    name: "agent",
    summary: "agent add NAME: ask the account holder to let an agent in",
    load: async () => (await import("./commands/agent.ts")).agentCommand,
  },
  {
    name: "task",
    summary: "task submit|get|result|receipt|cancel: act as an agent",
    load: async () => (await import("./commands/task.ts")).taskCommand,
  },
  {
    name: "mcp",
    summary: "MCP on standard input and output, for desktop programs",
    load: async () => (await import("./commands/mcp.ts")).mcpCommand,
  },
  {
    name: "a2a-card",
    summary: "a2a-card URL: what a remote agent says of itself, and its skills' digests, to bind operations to",
    load: async () => (await import("./commands/a2a-card.ts")).a2aCardCommand,
  },
  {
    name: "mcp-tools",
    summary: "mcp-tools URL: an MCP server's tools and their digests, to bind operations to",
    load: async () => (await import("./commands/mcp-tools.ts")).mcpToolsCommand,
  },
  {
    name: "protocols",
    summary: "protocols [APP]: which protocols this gateway speaks, and which of them an application uses",
    load: async () => (await import("./commands/protocols.ts")).protocolsCommand,
  },
  {
    name: "link",
    summary: "print a fresh one-time sign-in link for the trusted interface",
    load: async () => (await import("./commands/link.ts")).linkCommand,
  },
  {
    name: "contact",
    summary: "contact set ADDRESS: where an account holder is told of what waits for them",
    load: async () => (await import("./commands/contact.ts")).contactCommand,
  },
  {
    name: "policy",
    summary: "policy list|set|clear: who has to decide before an operation is committed",
    load: async () => (await import("./commands/policy.ts")).policyCommand,
  },
  {
    name: "keys",
    summary: "keys rotate: new keys for approvals, receipts or the log",
    load: async () => (await import("./commands/keys.ts")).keysCommand,
  },
  {
    name: "identity",
    summary: "identity keys|rotate|withdraw: the keys that sign requests to destinations",
    load: async () => (await import("./commands/identity.ts")).identityCommand,
  },
  {
    name: "backup",
    summary: "copy the store, also while the gateway runs",
    load: async () => (await import("./commands/backup.ts")).backupCommand,
  },
  {
    name: "restore",
    summary: "put a backup back; it is read back at the sites before anything is committed",
    load: async () => (await import("./commands/restore.ts")).restoreCommand,
  },
  {
    name: "verify",
    summary: "check an evidence bundle offline",
    load: async () => (await import("./commands/verify.ts")).verifyCommand,
  },
  {
    name: "sign-request",
    summary: "sign a request with Web Bot Auth; prints the headers to send",
    load: async () => (await import("./commands/sign-request.ts")).signRequestCommand,
  },
  {
    name: "verify-request",
    summary: "check who signed a request, and what the signature covers",
    load: async () => (await import("./commands/verify-request.ts")).verifyRequestCommand,
  },
  {
    name: "adapter",
    summary: "adapter new|test|check: write a site's adapter, and see which promises it breaks",
    load: async () => (await import("./commands/adapter.ts")).adapterCommand,
  },
  {
    name: "conformance",
    summary: "run the profile's black-box cases against a gateway with a practice shop",
    load: async () => (await import("./commands/conformance.ts")).conformanceCommand,
  },
];

function overview(): string {
  const width = Math.max(...COMMANDS.map((c) => c.name.length));
  return [
    "countersign: the agent proposes, the person countersigns, the site decides what is true.",
    "",
    "Usage: countersign COMMAND [options]",
    "",
    ...COMMANDS.map((c) => `  ${c.name.padEnd(width)}  ${c.summary}`),
    "",
    "countersign COMMAND --help says more about one.",
  ].join("\n");
}

async function main(): Promise<number> {
  const [name, ...rest] = process.argv.slice(2);
  if (name === undefined || name === "--help" || name === "help") {
    print(overview());
    return name === undefined ? 2 : 0;
  }
  const listed = COMMANDS.find((c) => c.name === name);
  if (listed === undefined) {
    say(`countersign: there is no command "${name}".`);
    say(overview());
    return 2;
  }
  const command = await listed.load();
  if (rest.includes("--help")) {
    print(command.help);
    return 0;
  }
  return command.run(rest);
}

process.exitCode = await main();
