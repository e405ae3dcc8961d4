import { type Bindings, calledEntry, type Site } from "@countersign/plugin";
import { canonicalJson, digestOfText, type Json } from "@countersign/wire";
import { readCallAnswer } from "./answer.ts";
import type { McpEntry } from "./route.ts";
import { commitNames, type UpstreamSignIn } from "./upstream.ts";

/** An upstream MCP server as an operator sets it up (docs/mcp-client.md). */
export interface McpSiteSetting {
  /** The site's id; one for each configured destination, since what is bound is bound there. */
  readonly id: string;
  readonly title: string;
  /** The path of the endpoint at the destination's origin. */
  readonly path: string;
  readonly signIn: UpstreamSignIn;
  readonly bindings: Bindings;
}

const VERSION_CHARS = 16;

/** A site of an upstream server's tools. Its version names what was bound, so that a record says by which binding. */
export async function mcpSite(setting: McpSiteSetting): Promise<Site> {
  const { id, title, path, signIn, bindings } = setting;
  const { identity, ...operations } = bindings;
  const digest = await digestOfText(canonicalJson(bindings as unknown as Json));
  const entry: McpEntry = calledEntry({
    route: "mcp",
    signIn: { path, signIn, commits: commitNames(bindings) },
    bindings: operations,
    identity,
    readAnswer: readCallAnswer,
  });
  return { id, title, version: `mcp/${digest.slice(0, VERSION_CHARS)}`, entries: [entry] };
}
