import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { DestinationSetting } from "@countersign/gateway";
import { type Bindings, bindings, type Site } from "@countersign/plugin";
import type { RegisteredClient, UpstreamSignIn } from "@countersign/protocol-mcp/client";
import { err, ok, type Result, secret } from "@countersign/wire";
import { z } from "zod";
import { type A2aDestination, a2aSiteOf } from "./a2a-destination.ts";
import { readBoundFile } from "./bound-file.ts";

const TEXT_MAX = 500;
const file = z.string().min(1).max(4_096);

const signIn = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("oauth"),
    /** Which of several authorization servers, as the server's own metadata names it. */
    authorizationServer: z.url().exactOptional(),
    /** How the operator registered this gateway there by hand. */
    clientId: z.string().min(1).max(TEXT_MAX).exactOptional(),
    clientSecretFile: file.exactOptional(),
    /** The gateway's client metadata document, where it does not stand at its own origin. */
    clientDocument: z.url({ protocol: /^https$/ }).exactOptional(),
    scopes: z.array(z.string().min(1).max(TEXT_MAX)).max(50).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal("token"),
    /** What the person is asked for. */
    label: z.string().trim().min(1).max(80).default("Access token"),
  }),
]);

/** An upstream MCP server as a destination (docs/mcp-client.md). */
export const mcpDestination = z
  .strictObject({
    path: z
      .string()
      .max(TEXT_MAX)
      .regex(/^\/[^?#\s]*$/, "a path such as /mcp")
      .default("/mcp"),
    signIn: signIn.default({ kind: "oauth" }),
    bindings: bindings.exactOptional(),
    /** The bindings in a file of their own; seen from the folder of the settings file. */
    bindingsFile: file.exactOptional(),
  })
  .refine((m) => (m.bindings === undefined) !== (m.bindingsFile === undefined), "either bindings or bindingsFile");
type McpDestination = z.infer<typeof mcpDestination>;

interface CalledDestination {
  readonly id: string;
  readonly title?: string;
  readonly origin: string;
  readonly site?: string;
  readonly alsoOrigins?: readonly string[];
  readonly mcp?: McpDestination;
  readonly a2a?: A2aDestination;
}

export interface Destinations {
  readonly settings: readonly DestinationSetting[];
  /** What was made of those that are called: a site for each, since what is bound is bound there. */
  readonly sites: readonly Site[];
}

/** Makes the destinations of what the settings say. The reason is a sentence that names the destination; it holds no secret. */
export async function readDestinations(
  settings: readonly CalledDestination[],
  folder: string,
): Promise<Result<Destinations, string>> {
  const found: DestinationSetting[] = [];
  const sites: Site[] = [];
  for (const { id, title, origin, site, alsoOrigins, mcp, a2a } of settings) {
    const where = { id, origin, ...(alsoOrigins === undefined ? {} : { alsoOrigins }) };
    if (site !== undefined) found.push({ ...where, site });
    const made = await calledSite({ id, title: title ?? new URL(origin).host, mcp, a2a, folder });
    if (made === undefined) continue;
    if (!made.ok) return err(`destinations: ${id}: ${made.reason}`);
    sites.push(made.value);
    found.push({ ...where, site: made.value.id });
  }
  return ok({ settings: found, sites });
}

/** The site of a destination that is called; undefined for every other. */
async function calledSite(called: {
  readonly id: string;
  readonly title: string;
  readonly mcp: McpDestination | undefined;
  readonly a2a: A2aDestination | undefined;
  readonly folder: string;
}): Promise<Result<Site, string> | undefined> {
  const { id, title, mcp, a2a, folder } = called;
  if (mcp !== undefined) return mcpSiteOf(id, title, mcp, folder);
  return a2a === undefined ? undefined : a2aSiteOf(id, title, a2a, folder);
}

async function mcpSiteOf(
  id: string,
  title: string,
  mcp: McpDestination,
  folder: string,
): Promise<Result<Site, string>> {
  const bound =
    mcp.bindings === undefined
      ? readBoundFile<Bindings>(resolve(folder, mcp.bindingsFile ?? ""), bindings)
      : ok(mcp.bindings);
  if (!bound.ok) return bound;
  const upstream = readSignIn(mcp.signIn, folder);
  if (!upstream.ok) return upstream;
  // Loaded where it is needed: a gateway without such a destination has no use for the protocol's client.
  const { mcpSite } = await import("@countersign/protocol-mcp/client");
  return ok(await mcpSite({ id: `mcp.${id}`, title, path: mcp.path, signIn: upstream.value, bindings: bound.value }));
}

function readSignIn(setting: McpDestination["signIn"], folder: string): Result<UpstreamSignIn, string> {
  if (setting.kind === "token") return ok(setting);
  const { authorizationServer, clientId, clientSecretFile, clientDocument, scopes } = setting;
  const client = clientId === undefined ? ok(undefined) : readClient(clientId, clientSecretFile, folder);
  if (!client.ok) return client;
  return ok({
    kind: "oauth",
    ...(authorizationServer === undefined ? {} : { authorizationServer }),
    ...(client.value === undefined ? {} : { client: client.value }),
    ...(clientDocument === undefined ? {} : { clientDocument }),
    ...(scopes === undefined ? {} : { scopes }),
  });
}

function readClient(id: string, secretFile: string | undefined, folder: string): Result<RegisteredClient, string> {
  if (secretFile === undefined) return ok({ id });
  try {
    const text = readFileSync(resolve(folder, secretFile), "utf8").trim();
    if (text !== "") return ok({ id, secret: secret(text) });
  } catch {
    // Said below: a file that is missing and one that is empty are mended in the same way.
  }
  return err(`clientSecretFile: ${secretFile} holds no secret that can be read`);
}
