import { createEgress, createGuard } from "@countersign/gateway";
import { parseHttpUrl } from "@countersign/wire";
import { type Command, printJson, readArgs, say, usageError } from "../cli.ts";

const CARD_PATH = "/.well-known/agent-card.json";

export const a2aCardCommand: Command = {
  name: "a2a-card",
  help: `Usage: countersign a2a-card URL

Shows what a remote A2A agent says of itself on its card, as JSON: how it is signed, which extensions it
requires, and each skill with the digest of its definition. Read it before you bind an operation to a
skill: it is a stranger's text, and nothing of it is checked here. Nothing is called.
URL is the agent's origin, or its card's address. How to bind it: docs/a2a-client.md`,
  async run(args) {
    const parsed = readArgs(args, {});
    if (!parsed.ok) return usageError(a2aCardCommand, parsed.reason);
    const { positionals } = parsed.value;
    const url = parseHttpUrl(positionals[0] ?? "");
    if (!url.ok || positionals.length !== 1) return usageError(a2aCardCommand, "the agent's URL is needed");
    const card = url.value.pathname === "/" ? new URL(CARD_PATH, url.value) : url.value;
    const { lookAtCard } = await import("@countersign/a2a/client");
    // The operator names the agent, so it may stand on this machine as well.
    const { fetch } = createEgress(createGuard({ namedOrigins: new Set([card.origin]) }));
    const looked = await lookAtCard(card, fetch);
    if (!looked.ok) {
      const { code, at } = looked.reason;
      say(
        code === "unreachable"
          ? `No card came from ${card.href}.`
          : `What stands at ${card.href} is no card of A2A 1.0${at === undefined ? "." : `: ${at}`}`,
      );
      return 1;
    }
    printJson(looked.value);
    return 0;
  },
};
