import { a2aPluginWith } from "@countersign/a2a";
import type { Bundle } from "@countersign/plugin";
import type { Application } from "@countersign/profile";
import { mcpPlugin } from "@countersign/protocol-mcp";
import { TAGS } from "@countersign/tap";
import { TAP, tap } from "@countersign/tap/plugin";
import { vaultKeys, WEB_BOT_AUTH, webBotAuth } from "@countersign/web-bot-auth/plugin";
import type { CallersSetup, IdentitySetup } from "./identity-settings.ts";

/** What of identity the settings ask for: each is absent where they do not. */
export interface IdentityOptions {
  readonly identity?: IdentitySetup;
  readonly callers?: CallersSetup;
}

/** The protocols that ship with Countersign, delivered together; the bundle decides nothing (PLG-3). */
export function agentProtocols(application?: Application, options: IdentityOptions = {}): Bundle {
  const published = application?.a2a?.extensions ?? [];
  return { name: "agent-protocols", plugins: [mcpPlugin, a2aPluginWith({ published }), ...identityProtocols(options)] };
}

/** Those that may sign as the gateway, and judge who calls it, where the settings say that it is done. */
export function trustedWithIdentity({ identity, callers }: IdentityOptions): readonly string[] {
  if (identity !== undefined) return [WEB_BOT_AUTH, TAP];
  return callers === undefined ? [] : [WEB_BOT_AUTH];
}

function identityProtocols({ identity, callers }: IdentityOptions): Bundle["plugins"] {
  const judging = callers === undefined ? {} : { callers: { plainHttp: callers.plainHttp } };
  if (identity === undefined) return [webBotAuth(judging).plugin, tap()];
  const { agent, plainHttp, revisions, unsigned, merchants } = identity;
  const { plugin } = webBotAuth({
    ...judging,
    agent,
    plainHttp,
    profiles: revisions,
    unsigned,
    // TAP asks for one nonce in all signatures of a request; it signs first.
    nonceBeside: [TAGS.browsing],
  });
  const told = merchants.filter((origin) => !unsigned.includes(origin));
  return [plugin, tap(told.length === 0 ? {} : { merchants: told, keys: vaultKeys() })];
}
