import { bridgeStdio, NotAsked } from "@countersign/protocol-mcp/stdio";
import { parseOrigin } from "@countersign/wire";
import { createAgentClient } from "../agent/client.ts";
import { readCredential, writeCredential } from "../agent/credential.ts";
import { type Command, readArgs, say, usageError } from "../cli.ts";

const MCP_PATH = "/mcp";

export const mcpCommand: Command = {
  name: "mcp",
  help: `Usage: countersign mcp --agent CREDENTIAL [--gateway URL]

Speaks MCP on standard input and output, for programs that start their servers as commands: each
message goes to the gateway's /mcp with a token of this agent. Nothing but MCP is printed to standard
output. Use one credential for one program: it changes with each use.

  --agent FILE    the agent's credential file, from: countersign agent add NAME
  --gateway URL   the gateway's origin; it must be the one that gave the credential (default: that one)`,
  async run(args) {
    const parsed = readArgs(args, { agent: { type: "string" }, gateway: { type: "string" } });
    if (!parsed.ok) return usageError(mcpCommand, parsed.reason);
    const file = parsed.value.values.agent;
    if (file === undefined || parsed.value.positionals.length > 0)
      return usageError(mcpCommand, "--agent FILE is needed, and nothing beside options");
    const credential = readCredential(file);
    if (!credential.ok) {
      say(credential.reason);
      return 1;
    }
    const { resource } = credential.value;
    const own = new URL(resource).origin;
    const asked = parseOrigin(parsed.value.values.gateway ?? own);
    // The credential goes to nobody but the gateway that gave it.
    if (!asked.ok || asked.value !== own || new URL(credential.value.tokenEndpoint).origin !== own)
      return usageError(
        mcpCommand,
        `the credential is of ${own}, not of ${parsed.value.values.gateway ?? "that gateway"}`,
      );
    const client = createAgentClient({ ...credential.value, resource: `${own}${MCP_PATH}` }, (next) =>
      writeCredential(file, { ...next, resource }),
    );
    await bridgeStdio({
      input: process.stdin,
      output: process.stdout,
      post: async (body, headers, signal) => {
        const bearer = await client.bearer();
        if (!bearer.ok)
          throw new NotAsked(
            bearer.reason === "unreachable"
              ? "The gateway does not answer; is it running?"
              : "The gateway gives this agent no access; it may have been revoked.",
          );
        return fetch(`${own}${MCP_PATH}`, {
          method: "POST",
          redirect: "error",
          headers: { ...headers, authorization: `Bearer ${bearer.value.reveal()}` },
          body,
          signal,
        });
      },
    });
    return 0;
  },
};
