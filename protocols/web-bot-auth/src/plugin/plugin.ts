import {
  callerPoint,
  definePlugin,
  GATEWAY_ORIGIN,
  type HttpEntry,
  httpPlace,
  httpPoint,
  type IdentitySigner,
  identityPoint,
  type Plugin,
  type PluginCtx,
  type Scope,
} from "@countersign/plugin";
import { assert, isLoopbackHost } from "@countersign/wire";
import { cimdDiscovery, type Discovery, directoryDiscovery, jwksUriDiscovery } from "../agent/discovery.ts";
import { agentUrl } from "../agent/url.ts";
import { directoryKeys } from "../directory/directory-keys.ts";
import { serveDirectory } from "../directory/serve.ts";
import { DIRECTORY_PATH, DRAFT_VERSION, type DraftProfile, type PlainHttp } from "../profile.ts";
import { signRequest } from "../sign/signer.ts";
import { parseSignatures } from "../signatures/fields.ts";
import { createVerifier, type Verifier, type VerifierOptions } from "../verify/verifier.ts";
import { callerIdentity } from "./caller.ts";
import { operatorKeys } from "./operator-keys.ts";
import {
  cimdExtensionPoint,
  directoryExtensionPoint,
  jwksUriExtensionPoint,
  nonceStorePoint,
  signerPoint,
} from "./points.ts";
import { storeNonces } from "./store-nonces.ts";
import { type VaultKeys, vaultKeys } from "./vault-keys.ts";

/** The plugin's id. It is also its key at `gateway.identity`, for a signer is given the store and vault of its key. */
export const WEB_BOT_AUTH = "protocol.web_bot_auth";
const SIGNATURE_ORDER = 200;

export interface WebBotAuthSettings {
  /**
   * The origin at which the gateway's directory is reached. Without it nothing is signed and nothing is published: a
   * signature whose keys nobody can find says nothing.
   */
  readonly agent?: string;
  /** Revisions that requests are signed for; a signature for each. */
  readonly profiles?: readonly DraftProfile[];
  readonly plainHttp?: PlainHttp;
  /** Destinations that are not told who calls, by their origin. */
  readonly unsigned?: readonly string[];
  /** The gateway asks this plugin who calls it; `plainHttp` is for gateways, and agents, of this machine. */
  readonly callers?: { readonly plainHttp: PlainHttp };
  /** Discovery types that are not supported. */
  readonly off?: readonly ("directory" | "jwks_uri" | "cimd")[];
  /** Tags of other signatures whose nonce ours shares, for protocols that want one nonce in a message. */
  readonly nonceBeside?: readonly string[];
}

/** Web Bot Auth as a plugin, with its keys for the command that rotates them. */
export interface WebBotAuth {
  readonly plugin: Plugin;
  readonly keys: VaultKeys;
}

const EXTENSIONS = [
  [directoryExtensionPoint, directoryDiscovery],
  [jwksUriExtensionPoint, jwksUriDiscovery],
  [cimdExtensionPoint, cimdDiscovery],
] as const;

/** Whether a directory may stand at this origin: https at its own port, under a name. */
export function isAgentOrigin(origin: string, plainHttp: PlainHttp = "refused"): boolean {
  const read = agentUrl(origin, plainHttp);
  return read.ok && read.url.origin === origin;
}

/** @throws AssertionFailed when `agent` is no origin that a directory may stand at. */
export function webBotAuth(settings: WebBotAuthSettings = {}): WebBotAuth {
  const { agent, callers, off = [], plainHttp = "refused" } = settings;
  assert(agent === undefined || isAgentOrigin(agent, plainHttp), "the agent is an https origin");
  const keys = vaultKeys();
  const plugin = definePlugin({
    manifest: {
      id: WEB_BOT_AUTH,
      version: "1",
      title: "Web Bot Auth",
      opens: [signerPoint, nonceStorePoint, ...EXTENSIONS.map(([point]) => point)],
      uses: [identityPoint, httpPoint, callerPoint],
      describes: {
        id: "web_bot_auth",
        name: "Web Bot Auth",
        versions: [DRAFT_VERSION],
        publisher: "IETF working group webbotauth",
        layer: "identity",
        roles: ["signer", "verifier", "directory"],
        state: "implemented",
        points: [signerPoint.id, nonceStorePoint.id, ...EXTENSIONS.map(([point]) => point.id)],
        catalogue: { id: "web-bot-auth", versions: [DRAFT_VERSION] },
        libraries: [],
      },
    },
    contribute(put, scope) {
      put(signerPoint, { id: "vault", value: keys });
      put(nonceStorePoint, { id: "store", value: storeNonces });
      for (const [point, discovery] of EXTENSIONS)
        if (!off.some((type) => type === discovery.type)) put(point, { id: discovery.type, value: discovery });
      if (callers !== undefined)
        put(callerPoint, {
          id: "signature",
          key: WEB_BOT_AUTH,
          order: SIGNATURE_ORDER,
          value: callerIdentity((ctx) => verifierIn(scope, ctx, callers)),
        });
      if (agent === undefined) return;
      put(identityPoint, {
        id: "signature",
        key: WEB_BOT_AUTH,
        order: SIGNATURE_ORDER,
        value: {
          ...identitySigner({ ...settings, agent }, scope),
          keys: operatorKeys(keys, () => scope.get(signerPoint) === keys),
        },
      });
      const entry = directoryEntry(scope);
      const place = httpPlace(entry);
      assert(place.ok, "the directory's place is well-formed");
      put(httpPoint, { id: "directory", key: place.value, order: SIGNATURE_ORDER, value: entry });
    },
  });
  return { plugin, keys };
}

/** The plugin as it comes: its points and the verifier's side, and nothing signed until somebody says where keys are. */
export const webBotAuthPlugin: Plugin = webBotAuth().plugin;

/** A verifier by what the set holds: its nonce store, and the discovery types that somebody contributes. */
export function verifierIn(scope: Scope, ctx: PluginCtx, options: VerifierOptions = {}): Verifier {
  const nonces = scope.get(nonceStorePoint)?.(ctx);
  const discoveries: readonly Discovery[] = EXTENSIONS.flatMap(([point]) => scope.get(point) ?? []);
  const plainHttp = options.plainHttp ?? "refused";
  return createVerifier({
    now: ctx.now,
    keys: directoryKeys({ fetch: ctx.fetch, now: ctx.now, plainHttp }),
    discoveries,
    ...(nonces === undefined ? {} : { nonces }),
    ...options,
  });
}

function identitySigner(settings: WebBotAuthSettings & { readonly agent: string }, scope: Scope): IdentitySigner {
  const { agent, profiles, plainHttp = "refused", unsigned = [], nonceBeside = [] } = settings;
  // Keys that are published on this machine alone say nothing to anybody who is not on it.
  const here = isLoopbackHost(new URL(agent).hostname);
  return {
    async sign(ctx, request) {
      const signer = scope.get(signerPoint);
      const { origin, hostname } = new URL(request.url);
      if (signer === undefined || unsigned.includes(origin) || (here && !isLoopbackHost(hostname))) return request;
      const nonce = nonceOf(request.headers, nonceBeside);
      const signed = await signRequest(request, {
        key: await signer.current(ctx),
        agent: { type: "directory", origin: agent },
        plainHttp,
        now: ctx.now,
        ...(profiles === undefined ? {} : { profiles }),
        ...(nonce === undefined ? {} : { nonce }),
      });
      if (signed.ok) return signed.value;
      // Who is calling is said where it can be said safely; that it cannot is no reason to keep somebody from their shop.
      ctx.log.warn("web_bot_auth.unsigned", { reason: signed.reason });
      return request;
    },
  };
}

function directoryEntry(scope: Scope): HttpEntry {
  return {
    origin: GATEWAY_ORIGIN,
    method: "GET",
    path: DIRECTORY_PATH,
    auth: "public",
    async handler(request, ctx) {
      const keys = (await scope.get(signerPoint)?.listed(ctx)) ?? [];
      return serveDirectory(request, { keys, now: ctx.now });
    },
  };
}

/** The nonce of a signature of this message that ours stands beside. */
function nonceOf(headers: Headers, tags: readonly string[]): string | undefined {
  const input = headers.get("signature-input");
  const signature = headers.get("signature");
  if (tags.length === 0 || input === null || signature === null) return undefined;
  const parsed = parseSignatures(input, signature);
  if (!parsed.ok) return undefined;
  for (const { parameters } of parsed.value.inputs.values()) {
    const tag = parameters.get("tag");
    const nonce = parameters.get("nonce");
    if (typeof tag === "string" && tags.includes(tag) && typeof nonce === "string") return nonce;
  }
  return undefined;
}
