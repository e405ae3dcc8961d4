import { type Ctx, type Fetch, SiteTrouble } from "@countersign/plugin";
import { err, type JsonObject, ok, type Result, type Secret } from "@countersign/wire";
import type { Tokens } from "./oauth/tokens.ts";
import { openMcpSession } from "./session.ts";
import { toolDigest } from "./tools.ts";
import { Stopped } from "./trouble.ts";

export interface LookedAt {
  readonly name: string;
  readonly digest: string;
  /** As the server lists it: text of a stranger's. */
  readonly definition: JsonObject;
}

export type LookProblem = "sign_in" | "no_answer";

/** Lists a server's tools with their digests, for an operator who is about to bind them. Nothing is called. */
export async function lookAtTools(
  where: { readonly url: URL; readonly token?: Secret<string> },
  given: { readonly fetch: Fetch } & Pick<Ctx, "log" | "now" | "signal">,
): Promise<Result<readonly LookedAt[], LookProblem>> {
  const { url, token } = where;
  const ctx = { ...given, progress: () => {}, withIdentity: async (request: Request) => request };
  const upstream = { path: `${url.pathname}${url.search}`, commits: [] };
  const session = openMcpSession(ctx, { id: url.host, origin: url.origin }, upstream, fixed(token), new Map());
  try {
    const tools = [...(await session.tools())].flatMap(([name, definition]) =>
      definition === "ambiguous" ? [] : [{ name, definition }],
    );
    return ok(await Promise.all(tools.map(async (tool) => ({ ...tool, digest: await toolDigest(tool.definition) }))));
  } catch (error) {
    if (error instanceof Stopped) return err(error.trouble === "signed_out" ? "sign_in" : "no_answer");
    if (error instanceof SiteTrouble) return err("no_answer");
    throw error;
  } finally {
    await session.close();
  }
}

/** A token as it is, or none at all. */
function fixed(token: Secret<string> | undefined): Tokens {
  return {
    current: async () => ok(token),
    fresh: async () => ok(undefined),
    refused: async () => err("sign_in"),
    challenged: async () => "in_vain",
    secrets: () => (token === undefined ? [] : [token]),
  };
}
