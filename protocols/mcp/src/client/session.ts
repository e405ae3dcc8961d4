import {
  type Answer,
  type BoundCall,
  type CallAnswer,
  type CallingSession,
  type Ctx,
  type Destination,
  type HeldExchange,
  type OpenSession,
  SiteTrouble,
} from "@countersign/plugin";
import { isJsonObject, type JsonObject } from "@countersign/wire";
import { type CallReading, readCallResult } from "./answer.ts";
import { connect, type Eras, type McpConnection } from "./connect.ts";
import { createDoor } from "./door.ts";
import { HELD_MS, LIST_BYTES_MAX, LIST_PAGES_MAX, READ_TRIES, REQUEST_MS, RESULT_BYTES_MAX } from "./limits.ts";
import type { Tokens } from "./oauth/tokens.ts";
import { toolDigest, toolsByName } from "./tools.ts";
import { Stopped } from "./trouble.ts";
import type { McpUpstream } from "./upstream.ts";
import { readRpcAnswer } from "./wire.ts";

/** JSON-RPC errors that say that a call cannot be made like this; the others may pass. */
const NOT_SO: ReadonlySet<number> = new Set([-32601, -32602, -32020, -32021]);
const ASKS_MORE = "the server asks for more rights than it gives";

/** A session whose tools can be looked at: for whoever binds them. */
export interface McpSession extends OpenSession {
  /** The definitions as the server lists them now, by name; a name that stands there twice is nobody's. */
  tools(): Promise<ReadonlyMap<string, JsonObject | "ambiguous">>;
}

/** A signed-in session at an upstream server: connected when it is first needed, tools looked at before the first call. */
export function openMcpSession(
  ctx: Pick<Ctx, "fetch" | "log" | "now" | "progress" | "signal" | "withIdentity">,
  destination: Pick<Destination, "id" | "origin">,
  upstream: Pick<McpUpstream, "path" | "commits">,
  tokens: Tokens,
  eras: Eras,
): McpSession {
  const endpoint = new URL(upstream.path, destination.origin);
  const door = createDoor({ ctx, endpoint, commits: upstream.commits, tokens });
  let connection: Promise<McpConnection> | undefined;
  let listing: Promise<ReturnType<typeof toolsByName>> | undefined;
  let held: HeldExchange | undefined;

  const connected = (): Promise<McpConnection> => {
    connection ??= connect({ ctx, endpoint, door, eras, destination: destination.id });
    return connection;
  };
  const tools = async () => {
    listing ??= listTools();
    return listing;
  };
  const listTools = async (): Promise<ReturnType<typeof toolsByName>> => {
    const { client } = await connected();
    let listed: ReadonlySet<string> = new Set();
    const { answers, trouble, failed } = await door.watch("tools/list", async () => {
      const { tools } = await client.listTools(undefined, {
        cacheMode: "bypass",
        timeout: REQUEST_MS,
        signal: ctx.signal,
      });
      listed = new Set(tools.map(({ name }) => name));
    });
    if (trouble !== undefined) throw new Stopped(trouble);
    const pages = answers.map((answer) => readRpcAnswer(answer, LIST_BYTES_MAX));
    if (failed || pages.length > LIST_PAGES_MAX || !pages.every((page) => page.kind === "result"))
      throw new SiteTrouble("the server's tools cannot be listed");
    // The definitions are the server's own bytes; a tool that the protocol's library leaves out is none.
    return new Map([...toolsByName(pages.map((page) => page.result))].filter(([name]) => listed.has(name)));
  };

  /** The tool as it is now, if it is the one that was bound (mcp.md section 9): anything else is refused unsent. */
  const boundTool = async (bound: BoundCall): Promise<JsonObject | string> => {
    const tool = (await tools()).get(bound.name);
    if (tool === undefined) return `the server has no tool ${bound.name} any more`;
    if (tool === "ambiguous") return `the server has two tools of the name ${bound.name}`;
    const found = await toolDigest(tool);
    if (found === bound.digest) return tool;
    ctx.log.warn("mcp.tool_changed", { destination: destination.id, tool: bound.name, bound: bound.digest, found });
    ctx.progress("tool_changed", "The server has changed what it offers; its operator has to look at it again");
    return `the tool ${bound.name} is not the one that was bound`;
  };

  const callOnce = async (bound: BoundCall, tool: JsonObject, args: JsonObject): Promise<CallReading> => {
    const { client } = await connected();
    const { answers, trouble } = await door.watch("tools/call", () => callTool(client, bound, tool, args, REQUEST_MS));
    if (trouble !== undefined) throw new Stopped(trouble);
    return readOne(answers);
  };
  /** A stream that broke off is gone on with elsewhere; two answers are one too many. */
  const readOne = (answers: readonly Answer[]): CallReading => {
    const [read, ...others] = answers.map((a) => readRpcAnswer(a, RESULT_BYTES_MAX)).filter((a) => a.kind !== "none");
    if (read === undefined || others.length > 0) throw new Stopped("lost");
    if (read.kind !== "error") return readCallResult(read);
    throw NOT_SO.has(read.code) ? new NotSo() : new Stopped("lost");
  };
  const callTool = (
    client: McpConnection["client"],
    bound: BoundCall,
    tool: JsonObject,
    args: JsonObject,
    timeout: number,
  ): Promise<unknown> =>
    client.callTool(
      { name: bound.name, arguments: { ...args } },
      // Without its output schema: a stranger's schema is compiled by nobody, the catalogue's judges what comes.
      { timeout, signal: ctx.signal, toolDefinition: { name: bound.name, inputSchema: schemaOf(tool) } },
    );

  const session: CallingSession = {
    kind: "mcp",
    origin: destination.origin,
    async call(bound, args): Promise<CallAnswer> {
      for (let tries = 1; ; tries++) {
        try {
          const tool = await boundTool(bound);
          if (typeof tool === "string") return { kind: "gap", why: tool };
          if (upstream.commits.includes(bound.name))
            return { kind: "gap", why: `${bound.name} commits and cannot be read by` };
          const read = await callOnce(bound, tool, args);
          return read.kind === "unknown"
            ? { kind: "gap", why: `${bound.name} did not answer as a tool does that reads` }
            : read;
        } catch (error) {
          const ended = endOf(error, bound);
          if (ended !== "again") return ended;
          if (tries >= READ_TRIES) throw new SiteTrouble("the server gave no whole answer");
          listing = undefined;
          await connection?.then((c) => c.close()).catch(() => {});
          connection = undefined;
        }
      }
    },
    async hold(bound, args) {
      try {
        const tool = await boundTool(bound);
        if (typeof tool === "string") return { kind: "gap", why: tool };
        const fresh = await tokens.fresh();
        if (!fresh.ok) throw new Stopped(fresh.reason === "sign_in" ? "signed_out" : "lost");
        const { client } = await connected();
        const exchange = await door.hold(bound.name, () => callTool(client, bound, tool, args, HELD_MS));
        if (typeof exchange === "string") throw new Stopped(exchange);
        held = exchange;
        return { kind: "done", value: exchange };
      } catch (error) {
        const ended = endOf(error, bound);
        if (ended !== "again") return ended;
        throw new SiteTrouble("the server gave no whole answer");
      }
    },
  };

  return {
    session,
    tools,
    secrets: async () => tokens.secrets(),
    // What was renewed is kept already.
    material: async () => undefined,
    async close() {
      await held?.abandon();
      await connection?.then((open) => open.close()).catch(() => {});
    },
  };
}

class NotSo extends Error {
  override readonly name = "NotSo";
}

function endOf(
  error: unknown,
  bound: BoundCall,
): { readonly kind: "sign_in" } | { readonly kind: "gap"; readonly why: string } | "again" {
  if (error instanceof NotSo) return { kind: "gap", why: `${bound.name} cannot be called like this` };
  if (!(error instanceof Stopped)) throw error;
  if (error.trouble === "signed_out") return { kind: "sign_in" };
  if (error.trouble === "forbidden") return { kind: "gap", why: ASKS_MORE };
  if (error.trouble === "refused") return { kind: "gap", why: `${bound.name} does not go through` };
  return "again";
}

function schemaOf(tool: JsonObject): { readonly type: "object" } {
  const schema = tool["inputSchema"];
  // A definition whose digest is the bound one is as the operator saw it; the type is the protocol's own demand.
  return (schema !== undefined && isJsonObject(schema) ? schema : { type: "object" }) as { readonly type: "object" };
}
