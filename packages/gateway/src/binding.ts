import type { Binding, HttpEntry, Log } from "@countersign/plugin";
import type { Catalogue } from "@countersign/profile";
import { assert, fromBase64Url, type Instant, importPrivateKey, type PublicJwk, signerOf } from "@countersign/wire";
import type { Caller } from "./admission/caller.ts";
import type { Core } from "./core.ts";
import type { Guard } from "./egress/guard.ts";
import { loadKeys } from "./oauth/keys.ts";
import type { GatewayPort } from "./port.ts";
import { createPushes, type TaskPushes } from "./push/pushes.ts";
import type { RenderPush } from "./push/sender.ts";
import { openText, sealText } from "./vault/seal.ts";

/** What a binding is given when it is opened (seam `gateway.binding`). */
export interface BindingHost {
  readonly issuer: string;
  /** Where tokens for its resources are had: the gateway itself, or the outside issuer that the operator named. */
  readonly authorizationServer: string;
  /** The whole of the gateway that an agent can reach; it answers from the first request on. */
  readonly port: GatewayPort;
  readonly catalogue: Catalogue;
  readonly now: () => Instant;
  readonly newId: (prefix: string) => string;
  readonly log: Log;
  /** Who calls, for a request of an `agent` entry; nobody for any other request. */
  callerOf(request: Request): Caller | undefined;
  /**
   * Text that a caller keeps for us and brings back: it can neither read nor change it, at none of the gateways that
   * share this store. `purpose` and `context` are bound in.
   */
  seal(purpose: string, context: string, text: string): string;
  /** Undefined for whatever was not sealed here for the same purpose and context. */
  unseal(purpose: string, context: string, sealed: string): string | undefined;
  /** The plugin's own signing key of this gateway; what it signs says so, and nothing else is signed with it. */
  signing(): Promise<BindingKeys>;
  /** Where clients of this binding hear of a task, told by `push` of {@link OpenBinding}; not where that is off. */
  readonly pushes: TaskPushes | undefined;
}

/** ES256. `published` has the signing key first, then those before it that still verify. */
export interface BindingKeys {
  readonly kid: string;
  readonly published: readonly { readonly kid: string; readonly jwk: PublicJwk }[];
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** What an opened binding serves; every entry stands at the gateway's own origin or a named one. */
export interface OpenBinding {
  readonly entries: readonly HttpEntry[];
  /** Called once, before anything is served. */
  start?(): Promise<void>;
  /** Makes what is told of a task's new state at an address of {@link BindingHost.pushes}. */
  readonly push?: RenderPush;
  /** Ends what is open; called once, when the gateway stops. */
  close(): Promise<void>;
}

/** Thrown by a binding that cannot be opened as it is composed; the gateway then does not start, and says why. */
export class BindingRefused extends Error {
  override readonly name = "BindingRefused";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

/** A part of a plugin with the name of the plugin, whose corner of the store and vault it is given. */
export interface OfPlugin<T> {
  readonly plugin: string;
  readonly value: T;
}

export interface OpenedBindings {
  readonly entries: readonly OfPlugin<HttpEntry>[];
  /** What tells of tasks, by plugin. */
  readonly pushes: ReadonlyMap<string, RenderPush>;
  /** Called once the port stands, before anything is served. */
  start(): Promise<void>;
  /** Called once the port stands. */
  connect(port: GatewayPort): void;
  /** Said by the server for each request whose caller it has judged. */
  noteCaller(request: Request, caller: Caller): void;
  close(): Promise<void>;
}

/** Opens them before the authorization server stands, since what they serve says for which resources tokens are given. */
export function openBindings(core: Core, bindings: readonly OfPlugin<Binding>[], pushGuard: Guard): OpenedBindings {
  const callers = new WeakMap<Request, Caller>();
  const connected: { port?: GatewayPort } = {};
  const opened = bindings.map(({ plugin, value }) => {
    const host: BindingHost = {
      issuer: core.issuer,
      authorizationServer: core.outsideIssuer ?? core.issuer,
      get port() {
        assert(connected.port !== undefined, "a binding calls nothing while it is opened");
        return connected.port;
      },
      catalogue: core.catalogue,
      now: core.now,
      newId: core.newId,
      log: core.log,
      callerOf: (request) => callers.get(request),
      seal: (purpose, context, text) =>
        Buffer.from(sealText(core.sealer, sealContext(plugin, purpose, context), text)).toString("base64url"),
      unseal: (purpose, context, sealed) => {
        // One spelling alone: what was altered is refused even where the bits mean nothing.
        const bytes = fromBase64Url(sealed);
        if (!bytes.ok) return undefined;
        try {
          return openText(core.sealer, sealContext(plugin, purpose, context), bytes.value);
        } catch {
          return undefined;
        }
      },
      signing: () => core.store.as("system", () => bindingKeys(core, plugin)),
      pushes: core.taskWebhooks === undefined ? undefined : createPushes({ core, plugin, guard: pushGuard }),
    };
    // The point's check holds the shape of a binding; what it is given and answers is agreed between it and us.
    const open = value.open.bind(value) as unknown as (host: BindingHost) => OpenBinding;
    return { plugin, binding: open(host) };
  });
  return {
    pushes: new Map(
      opened.flatMap(({ plugin, binding }) => (binding.push === undefined ? [] : [[plugin, binding.push] as const])),
    ),
    start: async () => {
      for (const { binding } of opened) await binding.start?.();
    },
    entries: opened.flatMap(({ plugin, binding }) => binding.entries.map((value) => ({ plugin, value }))),
    connect: (port) => {
      connected.port = port;
    },
    noteCaller: (request, caller) => void callers.set(request, caller),
    close: async () => {
      await Promise.all(opened.map(({ binding }) => binding.close()));
    },
  };
}

async function bindingKeys(core: Core, plugin: string): Promise<BindingKeys> {
  const [signing, ...earlier] = await loadKeys(core, `plugin.${plugin}`);
  const key = await importPrivateKey(signing.privateJwk);
  assert(key.ok, "a stored signing key is readable");
  return {
    kid: signing.kid,
    published: [signing, ...earlier].map(({ kid, publicJwk }) => ({ kid, jwk: publicJwk })),
    sign: signerOf(key.value),
  };
}

function sealContext(plugin: string, purpose: string, context: string): string {
  return JSON.stringify(["binding", plugin, purpose, context]);
}
