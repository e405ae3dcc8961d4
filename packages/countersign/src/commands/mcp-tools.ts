import { readFileSync } from "node:fs";
import { createEgress, createGuard, createLog } from "@countersign/gateway";
import { instant, parseHttpUrl, type Secret, secret } from "@countersign/wire";
import { type Command, printJson, readArgs, say, usageError } from "../cli.ts";

export const mcpToolsCommand: Command = {
  name: "mcp-tools",
  help: `Usage: countersign mcp-tools URL [--token-file FILE]

Lists what an MCP server offers, with the digest of each definition, as JSON. Read each tool before you
bind an operation to it: what it says of itself is a stranger's text. Nothing is called.
How to bind it: docs/mcp-client.md

  --token-file FILE   a file with an access token of that server, where it asks for one`,
  async run(args) {
    const parsed = readArgs(args, { "token-file": { type: "string" } });
    if (!parsed.ok) return usageError(mcpToolsCommand, parsed.reason);
    const { values, positionals } = parsed.value;
    const url = parseHttpUrl(positionals[0] ?? "");
    if (!url.ok || positionals.length !== 1) return usageError(mcpToolsCommand, "the server's URL is needed");
    const token = readToken(values["token-file"]);
    if (token === "unreadable") return usageError(mcpToolsCommand, "the token's file holds none that can be read");
    const { lookAtTools } = await import("@countersign/protocol-mcp/client");
    // The operator names the server, so it may stand on this machine as well.
    const { fetch } = createEgress(createGuard({ namedOrigins: new Set([url.value.origin]) }));
    const looked = await lookAtTools(
      { url: url.value, ...(token === undefined ? {} : { token }) },
      {
        fetch,
        now: () => instant(Date.now()),
        signal: new AbortController().signal,
        log: createLog("warn", (line) => say(line)),
      },
    );
    if (!looked.ok) {
      say(
        looked.reason === "sign_in"
          ? "The server asks for a token: name a file that holds one with --token-file. How to get one: docs/mcp-client.md"
          : `${url.value.href} does not answer as an MCP server does.${url.value.pathname === "/" ? " Its address usually has a path, such as /mcp." : ""}`,
      );
      return 1;
    }
    printJson(looked.value.map(({ name, digest, definition }) => ({ name, digest, definition })));
    return 0;
  },
};

function readToken(file: string | undefined): Secret<string> | undefined | "unreadable" {
  if (file === undefined) return undefined;
  try {
    const text = readFileSync(file, "utf8").trim();
    return text === "" ? "unreadable" : secret(text);
  } catch {
    return "unreadable";
  }
}
