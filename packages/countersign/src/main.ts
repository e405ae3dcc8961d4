import { type Command, print, say } from "./cli.ts";
import { agentCommand } from "./commands/agent.ts";
import { demoCommand } from "./commands/demo.ts";
import { linkCommand } from "./commands/link.ts";
import { startCommand } from "./commands/start.ts";
import { taskCommand } from "./commands/task.ts";
import { verifyCommand } from "./commands/verify.ts";

const COMMANDS: readonly Command[] = [startCommand, demoCommand, agentCommand, taskCommand, linkCommand, verifyCommand];

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
  const command = COMMANDS.find((c) => c.name === name);
  if (command === undefined) {
    say(`countersign: there is no command "${name}".`);
    say(overview());
    return 2;
  }
  if (rest.includes("--help")) {
    print(command.help);
    return 0;
  }
  return command.run(rest);
}

process.exitCode = await main();
