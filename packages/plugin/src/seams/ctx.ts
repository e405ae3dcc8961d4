import type { Instant, Json, JsonObject, Result, Secret } from "@countersign/wire";
import type { AccessAnswer, AccessChallenge } from "./access.ts";
import type { PersonId, TaskId, TenantId } from "./ids.ts";

/** A log that takes an event name and a closed set of plain values; `Secret` values print as a placeholder. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface StoredValue {
  readonly value: Json;
  /** Counts writes of this key from 1; pass it back to `put` to write only over what was read. */
  readonly version: number;
}

/** One table for all plugins, namespaced by plugin and tenant. Every call is its own transaction. */
export interface PluginStore {
  get(key: string): Promise<StoredValue | undefined>;
  /** Writes if the present version equals `ifVersion` (0 = absent). */
  put(key: string, value: Json, ifVersion: number): Promise<Result<{ readonly version: number }, "version_conflict">>;
  /**
   * True exactly once per key until `expiresAt`: the unique insert that replay checks stand on. `group` says with which
   * others it is counted. What is over is swept.
   */
  insertUnique(key: string, expiresAt: Instant, group?: string): Promise<boolean>;
  /** How many keys of a group, or of all groups, are not over; counted up to `most`. */
  countUnique(most: number, group?: string): Promise<number>;
  /** Adds `n` to a counter unless that would pass `max`. */
  add(key: string, n: number, max: number): Promise<Result<{ readonly total: number }, "over_max">>;
}

export type VaultRef = string & { readonly __brand: "VaultRef" };

/** Encrypted at rest; a secret is never a plain string outside the function given to `use` (AUT-4). */
export interface PluginVault {
  put(secret: Secret<string>): Promise<VaultRef>;
  use<T>(ref: VaultRef, fn: (secret: string) => Promise<T> | T): Promise<Result<T, "unknown_ref">>;
  remove(ref: VaultRef): Promise<void>;
}

export type KeyRef = string & { readonly __brand: "KeyRef" };

/** The one way out. Never follows a redirect; refuses addresses and origins outside the guard. */
export type Fetch = (request: Request) => Promise<Response>;

/** Gateway-wide: given to `start` and to `gateway.http` handlers. */
export interface PluginCtx {
  readonly now: () => Instant;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly store: PluginStore;
  readonly vault: PluginVault;
  readonly sign: (key: KeyRef, bytes: Uint8Array) => Promise<Uint8Array>;
  readonly fetch: Fetch;
}

/** A row of the account that a request may name by its opaque ref (decisions: rows of the account). */
export interface AccountDetail {
  readonly ref: string;
  /**
   * `address` and `contact` are entered by the account holder at the gateway, and by nobody else: an address that a site
   * keeps of them, and an e-mail address (`{email}`) or telephone number (`{phone}`, E.164).
   */
  readonly kind: "fulfillment" | "instrument" | "payee" | "address" | "contact";
  /** The destination's own identifier, where the row was read from the site. */
  readonly siteKey?: string;
  readonly label: string;
  readonly value: JsonObject;
}

/** What {@link Ctx.delegate} gives: verifiable by the key set that the issuer publishes. */
export interface DelegatedToken {
  readonly token: Secret<string>;
  /** The person's name at this audience, and at no other. */
  readonly subject: string;
  readonly issuer: string;
}

/** One tenant; one person and task where there is one. */
export interface Ctx extends PluginCtx {
  readonly tenant: TenantId;
  readonly person?: PersonId;
  readonly task?: TaskId;
  /** Tells the person and the agent what is being done, in a few plain words without personal data. */
  progress(step: string, label: string): void;
  /** Resolves an opaque ref of the task's own account; another account's ref is unknown. */
  detail(ref: string): Promise<AccountDetail | undefined>;
  /**
   * A short token of the gateway's own issuing that says to `audience` for whom it is called (MAP-2). What an agent brought
   * here is never passed on.
   */
  delegate(audience: string): Promise<Result<DelegatedToken, "not_an_audience">>;
  /** The request with the signatures of whoever proves who is calling (seam `gateway.identity`); unchanged where nobody does. */
  withIdentity(request: Request): Promise<Request>;
  /** Puts a site's bot check to the access infrastructure that is installed for it, if any (MFA-5). */
  access(challenge: AccessChallenge): Promise<AccessAnswer>;
}
