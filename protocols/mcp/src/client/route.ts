import type { CalledEntry, Ctx, Destination, KeptMaterial, OpenSession, Route } from "@countersign/plugin";
import { assert, err, ok, type Result, type Secret } from "@countersign/wire";
import { giveBackTokens } from "./oauth/give-back.ts";
import { fromMaterial } from "./oauth/material.ts";
import type { RenewDeps } from "./oauth/renew.ts";
import { oauthSignIn } from "./oauth/sign-in.ts";
import { createTokens } from "./oauth/tokens.ts";
import { openMcpSession } from "./session.ts";
import { tokenForm } from "./token-form.ts";
import type { McpUpstream } from "./upstream.ts";

/** A destination that is reached by an MCP server's tools. */
export type McpEntry = CalledEntry<McpUpstream>;

/**
 * Reaches destinations that are MCP servers (PLG-6): the gateway is a client of its own there, for one person at a time,
 * with tokens that were made for that server. Nothing that an agent brought is ever sent on (AUT-3).
 */
export function createMcpRoute(): Route {
  const running: RenewDeps["running"] = new Map();
  const eras = new Map<string, number>();

  const open = (
    ctx: Ctx,
    destination: Destination,
    material: Secret<string>,
    kept: KeptMaterial | undefined,
  ): Result<OpenSession, "sign_in"> => {
    const read = fromMaterial(material);
    if (!read.ok) return err("sign_in");
    const origins = new Set([destination.origin, ...destination.alsoOrigins]);
    const tokens = createTokens(ctx, read.value, kept, { origins, running });
    return ok(openMcpSession(ctx, destination, mcpEntry(destination).signIn, tokens, eras));
  };

  return {
    kind: "mcp",
    async open(ctx, destination, material, kept) {
      const opened = open(ctx, destination, material, kept);
      if (!opened.ok) ctx.log.info("mcp.material_unusable", { destination: destination.id });
      return opened;
    },
    async beginSignIn(ctx, destination, _tries, back) {
      const entry = mcpEntry(destination);
      const { signIn: upstream } = entry;
      const identify = async (material: Secret<string>) => {
        const opened = open(ctx, destination, material, undefined);
        assert(opened.ok, "what was made here can be read here");
        try {
          return await entry.identify(ctx, opened.value.session as Parameters<typeof entry.identify>[1]);
        } finally {
          await opened.value.close();
        }
      };
      if (upstream.signIn.kind === "token") return ok(tokenForm(upstream.signIn.label, identify));
      assert(back !== undefined, "the gateway says where people come back to");
      return oauthSignIn({ ctx, destination, upstream, setting: upstream.signIn, back, identify });
    },
    async giveBack(ctx, destination, material) {
      const read = fromMaterial(material);
      if (!read.ok || read.value.kind !== "oauth") return;
      const origins = new Set([destination.origin, ...destination.alsoOrigins]);
      ctx.log.info("mcp.tokens_over", {
        destination: destination.id,
        outcome: await giveBackTokens(ctx, read.value, origins),
      });
    },
    stop: async () => {},
  };
}

/** The registry gives a route the entries of its own kind only; here the types hear of it. */
function mcpEntry(destination: Destination): McpEntry {
  assert(destination.entry.route === "mcp", "an entry of the MCP route");
  return destination.entry as McpEntry;
}
