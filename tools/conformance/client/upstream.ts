import { randomUUID } from "node:crypto";
import type { Ctx, Destination } from "@countersign/plugin";
import type { McpSession, UpstreamSignIn } from "@countersign/protocol-mcp/client";
import { createTokens, fromMaterial, oauthSignIn, openMcpSession } from "@countersign/protocol-mcp/client/parts";
import { assert, type Secret, secret } from "@countersign/wire";
import { keptIn } from "./ctx.ts";

const BACK = "http://localhost:3000/returned";
/** The document that the suite expects; it is read by nobody. */
const CLIENT_DOCUMENT = "https://conformance-test.local/client-metadata.json";

export interface SuiteUpstream {
  /** Goes to the authorization server as a browser does; undefined where our client refuses to. */
  signIn(): Promise<Secret<string> | undefined>;
  open(material: Secret<string>): McpSession;
}

export function upstreamAt(options: {
  readonly ctx: Ctx;
  readonly url: URL;
  readonly origins: Set<string>;
  readonly scenario: string;
  readonly context: Record<string, unknown>;
  readonly isLegacy: boolean;
}): SuiteUpstream {
  const { ctx, url, origins, context } = options;
  const eras = new Map<string, number>(options.isLegacy ? [["suite", Number.MAX_SAFE_INTEGER]] : []);
  const signIn = signInBy(context);
  const upstream = { path: `${url.pathname}${url.search}`, signIn, commits: [] };
  const destination = (): Destination => ({
    id: "suite",
    title: "The suite",
    origin: url.origin,
    alsoOrigins: [...origins],
    entry: { route: "mcp", signIn: upstream, identify: async () => undefined, operations: [] },
    commits: [],
  });
  return {
    async signIn() {
      // The operator names the authorization servers that they have looked up.
      for (const origin of await serversOf(url)) origins.add(origin);
      const state = randomUUID();
      const begun = await oauthSignIn({
        ctx,
        destination: destination(),
        upstream,
        setting: signIn,
        back: { url: BACK, state },
        identify: async () => ({ name: "somebody", details: [] }),
      });
      if (!begun.ok) return undefined;
      const answer = await fetch(begun.value.url, { redirect: "manual" });
      const back = new URL(answer.headers.get("location") ?? BACK);
      assert(back.searchParams.get("state") === state, "the gateway judges the state");
      const came = await begun.value.returned(back.searchParams);
      return came.kind === "done" ? came.verified.material : undefined;
    },
    open(material) {
      const read = fromMaterial(material);
      assert(read.ok, "what was made here can be read here");
      const tokens = createTokens(ctx, read.value, keptIn(material), { origins, running: new Map() });
      return openMcpSession(ctx, destination(), upstream, tokens, eras);
    },
  };
}

function signInBy(context: Record<string, unknown>): Extract<UpstreamSignIn, { kind: "oauth" }> {
  const { client_id: id, client_secret: given } = context;
  const client =
    typeof id === "string" ? { client: { id, ...(typeof given === "string" ? { secret: secret(given) } : {}) } } : {};
  return { kind: "oauth", clientDocument: CLIENT_DOCUMENT, ...client };
}

/** Wherever the suite puts the resource's metadata. */
async function serversOf(url: URL): Promise<readonly string[]> {
  const challenge = await fetch(url, { method: "POST", body: "{}" }).then((answer) =>
    answer.headers.get("www-authenticate"),
  );
  const named = /resource_metadata="([^"]+)"/.exec(challenge ?? "")?.[1];
  const well = "/.well-known/oauth-protected-resource";
  const places = [named, `${url.origin}${well}${url.pathname}`, `${url.origin}${well}`];
  for (const place of places) {
    if (place === undefined) continue;
    const answer = await fetch(place).catch(() => undefined);
    if (answer?.ok !== true) continue;
    const { authorization_servers: servers = [] } = (await answer.json()) as { authorization_servers?: string[] };
    return servers.map((one) => new URL(one).origin);
  }
  return [];
}
