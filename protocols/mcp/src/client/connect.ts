import { type Ctx, SiteTrouble } from "@countersign/plugin";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Door } from "./door.ts";
import { ERA_KEPT_MS, GOODBYE_MS, LIST_PAGES_MAX, REQUEST_MS } from "./limits.ts";
import { Stopped } from "./trouble.ts";

export interface McpConnection {
  readonly client: Client;
  close(): Promise<void>;
}

/** Which upstream servers were found to speak the older revision only, and until when that is taken for granted. */
export type Eras = Map<string, number>;

/** Our name for ourselves, which decides nothing. */
const CLIENT = { name: "countersign", version: "0.1.0" } as const;

export interface ConnectOptions {
  readonly ctx: Pick<Ctx, "now" | "signal">;
  readonly endpoint: URL;
  readonly door: Door;
  readonly eras: Eras;
  readonly destination: string;
}

/**
 * One client for one session, by the protocol's own library: the newer revision first, the older where a server answers
 * as one of those. It declares no capability, so a server may ask us for nothing while it works; what it asks for
 * nevertheless is answered by nobody.
 * @throws Stopped when the server wants a sign-in, SiteTrouble when it does not answer as a server does.
 */
export async function connect(options: ConnectOptions): Promise<McpConnection> {
  const { ctx, endpoint, door, eras, destination } = options;
  const client = new Client(CLIENT, {
    capabilities: {},
    versionNegotiation: { mode: "auto" },
    inputRequired: { autoFulfill: false },
    listMaxPages: LIST_PAGES_MAX,
  });
  const transport = new StreamableHTTPClientTransport(endpoint, {
    fetch: door.fetch,
    onInsufficientScope: "throw",
    redirectPolicy: "same-origin",
  });
  const isLegacy = (eras.get(destination) ?? 0) > ctx.now();
  const { trouble, failed } = await door.watch("", () =>
    client.connect(transport, {
      timeout: REQUEST_MS,
      signal: ctx.signal,
      ...(isLegacy ? { prior: { kind: "legacy" } } : {}),
    }),
  );
  if (failed || trouble !== undefined) {
    eras.delete(destination);
    await client.close().catch(() => {});
    if (trouble !== undefined) throw new Stopped(trouble);
    throw new SiteTrouble("the server does not answer as an MCP server does");
  }
  if (client.getProtocolEra() === "legacy") eras.set(destination, ctx.now() + ERA_KEPT_MS);
  return {
    client,
    async close() {
      if (transport.sessionId !== undefined) {
        const goodbye = transport.terminateSession().catch(() => {});
        let timer: NodeJS.Timeout | undefined;
        await Promise.race([
          goodbye,
          new Promise<void>((resolve) => {
            timer = setTimeout(resolve, GOODBYE_MS);
          }),
        ]);
        clearTimeout(timer);
      }
      await client.close().catch(() => {});
    },
  };
}
