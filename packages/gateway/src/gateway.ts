import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import {
  type AccessService,
  type Authority,
  accessPoint,
  authorityPoint,
  type Binding,
  bindingPoint,
  type CallerIdentity,
  callerPoint,
  cataloguePoint,
  egressPoint,
  gatewayPlugin,
  type HttpEntry,
  httpPoint,
  type IdentitySigner,
  identityPoint,
  type Kernel,
  type ListedProtocol,
  type Log,
  listProtocols,
  operationPoint,
  type Route,
  type RouteKind,
  routePoint,
  type Site,
} from "@countersign/plugin";
import {
  buildCatalogue,
  type Catalogue,
  type DemandedPolicy,
  type Operation,
  withApprovals,
} from "@countersign/profile";
import { assert, err, type Instant, instant, ok, parseOrigin, type Result, type Secret } from "@countersign/wire";
import { listenAdmin } from "./admin/admin.ts";
import { BindingRefused, type OfPlugin, type OpenedBindings, openBindings } from "./binding.ts";
import { type CallersSetting, openCallingIdentity } from "./calling-identity/judge.ts";
import { createHandOffs } from "./connection/handoff.ts";
import { createWaitingPages } from "./connection/waiting-pages.ts";
import type { Core, Owner } from "./core.ts";
import { type DestinationSetting, knownDestinations, type SettingProblem } from "./destinations.ts";
import type { AllowedPlaces } from "./egress/allowed.ts";
import { publicGuard } from "./egress/allowed.ts";
import { createEgress, type Egress } from "./egress/egress.ts";
import { createGuard, type Guard } from "./egress/guard.ts";
import { loadEvidenceKeys } from "./evidence/keys.ts";
import { endEarlierTurn } from "./evidence/log/lease.ts";
import { renewKeys } from "./evidence/rotate.ts";
import { createSequencer } from "./evidence/sequencer.ts";
import { createWorker } from "./execution/worker.ts";
import type { ConsoleFiles } from "./http/console.ts";
import { placeProblems, resourcesOf } from "./http/contributed/places.ts";
import { createServer } from "./http/server.ts";
import { newId } from "./ids.ts";
import { channelNames, type NotifySetting, startNotifying } from "./notify/notify.ts";
import { createDelegation } from "./oauth/delegated.ts";
import { endGivenBack } from "./oauth/given-back.ts";
import { detailProblem } from "./oauth/grant-detail.ts";
import { createOAuth, type OAuth, type OAuthDeps } from "./oauth/oauth.ts";
import { createIssuerKeys } from "./oauth/outside/issuer-keys.ts";
import { outsideTokenVerifier } from "./oauth/outside/verify.ts";
import { apiResource } from "./oauth/protected-resource.ts";
import { documentGuard, type OAuthSetting } from "./oauth/setting.ts";
import type { OpenIdSetting } from "./people/outside.ts";
import { ensureFirstPerson, newSignInLink } from "./people/people.ts";
import { startSweeping } from "./plugin-sweep.ts";
import type { Point } from "./points.ts";
import { createPort } from "./port-impl.ts";
import { inCallersScope } from "./port-scope.ts";
import { createPushSender } from "./push/sender.ts";
import { type LockOwner, type StoreLock, takeStoreLock } from "./store/lock.ts";
import type { StoreProblem } from "./store/problems.ts";
import { openStore, type StoreWhere } from "./store/store.ts";
import { startTaskEvents } from "./task-events/sender.ts";
import { createStepEnds } from "./tasks/step-ends.ts";
import { createChanges } from "./trusted/changes.ts";
import type { PracticeBoard } from "./trusted/practice-board.ts";
import { loadMasterKey, type MasterKeyProblem } from "./vault/master-key.ts";
import { createSealer } from "./vault/seal.ts";
import { sealedUnderOurKey } from "./vault/seal-check.ts";
import { createVault } from "./vault/vault.ts";

const STOP_GRACE_MS = 5_000;

export interface GatewayOptions {
  readonly dataDir: string;
  /** URL of a PostgreSQL database that holds the store, for any number of gateways; without it, it is in `dataDir`. */
  readonly database?: Secret<string>;
  /** The one origin of the trusted interface and of the API, for example `http://localhost:4600`. */
  readonly issuer: string;
  /** Loopback unless told otherwise. */
  readonly host?: string;
  /** Where to listen when something stands in front that has the issuer's port; the issuer's port otherwise. */
  readonly listenPort?: number;
  readonly destinations: readonly DestinationSetting[];
  readonly sites: readonly Site[];
  readonly operations: readonly Operation[];
  /** Who has to decide before a commit, by operation: takes the place of the catalogue's own policy (APR-3). */
  readonly approvals?: Readonly<Record<string, DemandedPolicy>>;
  /** Given the guard, so that a route's own connections pass it too. */
  readonly routes: (guard: Guard) => readonly Route[];
  /** Takes the place of the built-in egress (seam `gateway.egress`). */
  readonly egress?: (guard: Guard) => Egress;
  /** Access infrastructure by the sort of check (seam `gateway.access`); none unless the host installs some. */
  readonly access?: ReadonlyMap<string, AccessService>;
  /** Outside authorities by id (seam `gateway.authority`); none unless the host installs some. */
  readonly authorities?: ReadonlyMap<string, Authority>;
  /** Who proves to destinations who is calling, by id (seam `gateway.identity`); nobody unless the host installs some. */
  readonly identities?: ReadonlyMap<string, IdentitySigner>;
  /** How callers show who operates them, by id (seam `gateway.caller`); asked where `callers` says so. */
  readonly callerIdentities?: ReadonlyMap<string, CallerIdentity>;
  /** Whether agents are asked who operates them, beside their token; nobody is unless this is said. */
  readonly callers?: CallersSetting;
  /** Further ways in which agents reach the gateway (seam `gateway.binding`). */
  readonly bindings?: readonly OfPlugin<Binding>[];
  /** What plugins serve at the gateway's origin (seam `gateway.http`). */
  readonly http?: readonly OfPlugin<HttpEntry>[];
  /** What the plugins say of themselves, for `GET /api/v1/protocols`. */
  readonly protocols?: readonly ListedProtocol[];
  /** Which clients may ask people at the authorization page; without it any with a metadata document. */
  readonly oauth?: OAuthSetting;
  /**
   * Where agents may be told what becomes of their tasks: public https addresses (the default), also this machine (for
   * development), or nowhere.
   */
  readonly taskWebhooks?: AllowedPlaces | "off";
  /** An outside OpenID provider for people; none unless the operator names one. */
  readonly openid?: OpenIdSetting;
  readonly console?: ConsoleFiles;
  /** By which ways people are told what waits for them; without it nobody is told. */
  readonly notify?: NotifySetting;
  /** The switches of a demonstration's practice site; nothing else brings them. */
  readonly practice?: PracticeBoard;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Instant;
  /** Called at each named moment of a task's life; the proofs stop or kill the process there. */
  readonly reach?: (point: Point) => Promise<void> | void;
}

export type StartProblem =
  | { readonly kind: "bad_issuer" }
  | { readonly kind: "store_in_use"; readonly held: LockOwner | undefined }
  | { readonly kind: "store"; readonly problem: StoreProblem }
  | { readonly kind: "master_key"; readonly problem: MasterKeyProblem }
  | { readonly kind: "destinations"; readonly problems: readonly SettingProblem[] }
  | { readonly kind: "approvals"; readonly operation: string }
  | { readonly kind: "http_entries"; readonly problems: readonly string[] }
  | { readonly kind: "bindings"; readonly problems: readonly string[] }
  /** Callers are to show who operates them, and nothing here can judge it. */
  | { readonly kind: "no_caller_identity" }
  | { readonly kind: "port_taken"; readonly port: number };

export interface Gateway {
  readonly core: Core;
  readonly owner: Owner;
  readonly address: AddressInfo;
  /** A fresh one-time way into the trusted interface; the token is in the fragment, so no server logs it. */
  signInLink(): Promise<Secret<string>>;
  /** Ends what runs, closes everything. Killing the process instead loses nothing but the open hand-offs. */
  stop(): Promise<void>;
}

/** Starts a gateway on its store. Refuses, with a reason, what it cannot do safely. */
export async function startGateway(options: GatewayOptions): Promise<Result<Gateway, StartProblem>> {
  const origin = parseOrigin(options.issuer);
  if (!origin.ok || origin.value !== options.issuer) return err({ kind: "bad_issuer" });
  if (options.callers !== undefined && (options.callerIdentities?.size ?? 0) === 0)
    return err({ kind: "no_caller_identity" });
  const operations = withApprovals(options.operations, options.approvals ?? {});
  if (!operations.ok) return err({ kind: "approvals", operation: operations.reason.operation });
  const key = prepareDataDir(options);
  if (!key.ok) return key;
  const { lock, sealer } = key.value;
  const now = options.now ?? (() => instant(Date.now()));
  const opened = await openStore(storeOf(options), { log: options.log });
  if (!opened.ok) {
    lock.release();
    return err({ kind: "store", problem: opened.reason });
  }
  const store = opened.value;
  const release = async (): Promise<void> => {
    await store.close();
    lock.release();
  };
  const first = <T>(work: () => Promise<T>): Promise<T> => store.alone(() => store.as("system", work));
  if (!(await first(() => sealedUnderOurKey(store, sealer)))) {
    await release();
    return err({ kind: "store", problem: "other_keys" });
  }

  const named = namedOrigins(options.destinations);
  const guard = createGuard({ namedOrigins: named });
  const routes = new Map<RouteKind, Route>(options.routes(guard).map((route) => [route.kind, route]));
  const sites = new Map(options.sites.map((site) => [site.id, site]));
  const destinations = knownDestinations(options.destinations, sites, routes);
  if (!destinations.ok) {
    await release();
    return err({ kind: "destinations", problems: destinations.reason });
  }
  const keyDeps = { store, sealer, issuer: options.issuer, now };
  const keys = await first(() => loadEvidenceKeys(keyDeps));
  const reach = options.reach ?? (() => {});
  if (store.kind === "sqlite") await endEarlierTurn(store);
  const worker: { poke: () => void } = { poke: () => {} };
  const senders: { poke: () => void }[] = [];
  const changes = createChanges({ store, now, log: options.log });
  const core: Core = {
    issuer: options.issuer,
    ...(options.oauth?.outside === undefined ? {} : { outsideIssuer: options.oauth.outside.issuer }),
    store,
    catalogue: catalogueOf(operations.value, options.sites),
    destinations: destinations.value,
    routes,
    access: options.access ?? new Map(),
    pages: createWaitingPages(options.log),
    authorities: options.authorities ?? new Map(),
    people: {
      ...(options.openid === undefined ? {} : { openid: options.openid }),
      fetch: (options.egress ?? createEgress)(createGuard({ namedOrigins: openIdOrigin(options.openid) })).fetch,
    },
    sealer,
    vault: createVault({ sealer, newId, now }),
    keys,
    sequencer: createSequencer({
      ...keyDeps,
      keys,
      reach,
      owner: randomUUID(),
      renewKeys: () => renewKeys(keyDeps),
      log: options.log,
    }),
    egress: (options.egress ?? createEgress)(guard),
    delegation: await first(() => createDelegation(keyDeps)),
    identities: options.identities ?? new Map(),
    channels: channelNames(options.notify),
    ...(options.taskWebhooks === "off" ? {} : { taskWebhooks: options.taskWebhooks ?? "https" }),
    now,
    newId,
    log: options.log,
    steps: createStepEnds(),
    poke: () => {
      worker.poke();
      for (const sender of senders) sender.poke();
      changes.poke();
      store.hint();
    },
    reach,
  };
  const owner = await first(() => ensureFirstPerson(core));
  const pushGuard = publicGuard(core.taskWebhooks ?? "https");
  const opening = tryBindings(core, options.bindings ?? [], pushGuard);
  if (!opening.ok) {
    await release();
    return err({ kind: "bindings", problems: opening.reason });
  }
  const bindings = opening.value;
  const entries = [...(options.http ?? []), ...bindings.entries];
  const misplaced = placeProblems(options.issuer, entries);
  if (misplaced.length > 0) {
    await bindings.close();
    await release();
    return err({ kind: "http_entries", problems: misplaced });
  }
  const resource = apiResource(options.issuer);
  const moreResources = resourcesOf(options.issuer, entries);
  const ours = await first(() =>
    createOAuth({
      store,
      sealer,
      issuer: options.issuer,
      resource,
      moreResources,
      ...clientSettings(options),
      judgeDetail: (detail) => detailProblem(core, detail),
      onGivenBack: (grantId) => endGivenBack(core, grantId),
      now,
      log: options.log,
    }),
  );
  const oauth = options.oauth?.outside === undefined ? ours : withOutsideIssuer(core, ours, options, resource);
  const handOffs = createHandOffs(core);
  const loop = createWorker({ core, owner: randomUUID() });
  worker.poke = loop.poke;
  store.onHint(() => {
    loop.poke();
    for (const sender of senders) sender.poke();
    changes.poke();
  });
  let ready = false;
  const port = inCallersScope(store, createPort(core, oauth));
  bindings.connect(port);
  await bindings.start();
  const makeEgress = options.egress ?? createEgress;
  const identities = options.callerIdentities ?? new Map<string, CallerIdentity>();
  const calling = openCallingIdentity(core, options.callers, { identities, makeEgress });
  const app = await createServer({
    core,
    port,
    oauth,
    calling,
    handOffs,
    changes,
    contributed: { entries, noteCaller: bindings.noteCaller },
    protocols: options.protocols ?? [],
    console: options.console,
    practice: options.practice,
    isReady: () => ready,
  });
  const url = new URL(options.issuer);
  const portNumber = options.listenPort ?? Number(url.port || (url.protocol === "https:" ? 443 : 80));
  try {
    await app.listen({ host: options.host ?? "127.0.0.1", port: portNumber });
  } catch (error) {
    await app.close();
    await release();
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
      return err({ kind: "port_taken", port: portNumber });
    throw error;
  }
  const admin = await listenAdmin(core, owner, options.dataDir);
  await loop.start();
  const sweeping = startSweeping(core);
  const notifying = startNotifying(core, options.notify, { dataDir: options.dataDir, makeEgress });
  const taskEvents = startTaskEvents(core, { makeEgress });
  const pushing =
    core.taskWebhooks === undefined || bindings.pushes.size === 0
      ? undefined
      : createPushSender({ core, port, render: bindings.pushes, guard: pushGuard, makeEgress, owner: randomUUID() });
  for (const started of [notifying, taskEvents, pushing]) if (started !== undefined) senders.push(started);
  ready = true;
  const address = app.server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  options.log.info("gateway.started", { issuer: options.issuer, pid: process.pid });
  return ok({
    core,
    owner,
    address,
    signInLink: () => store.as("system", () => newSignInLink(core, owner.personId)),
    async stop() {
      ready = false;
      await admin.close();
      await handOffs.closeAll();
      changes.close();
      calling?.close();
      await sweeping.stop();
      await bindings.close();
      // What is still being asked or answered then is cut off, as a kill would.
      const cutOff = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS);
      await app.close();
      clearTimeout(cutOff);
      await loop.stop(STOP_GRACE_MS);
      await notifying?.stop(STOP_GRACE_MS);
      await taskEvents?.stop(STOP_GRACE_MS);
      await pushing?.stop(STOP_GRACE_MS);
      await Promise.all([...routes.values()].map((route) => route.stop()));
      await release();
    },
  });
}

function tryBindings(
  core: Core,
  bindings: readonly OfPlugin<Binding>[],
  pushGuard: Guard,
): Result<OpenedBindings, readonly string[]> {
  try {
    return ok(openBindings(core, bindings, pushGuard));
  } catch (error) {
    if (error instanceof BindingRefused) return err(error.problems);
    throw error;
  }
}

/** Which clients may ask: those that the operator entered, and those with a metadata document unless that is off. */
function clientSettings({ oauth, egress }: GatewayOptions): Pick<OAuthDeps, "clients" | "documents"> {
  const loopback = oauth?.documents === "loopback_too" ? "allowed" : "refused";
  const fetch = (egress ?? createEgress)(documentGuard(oauth)).fetch;
  return {
    ...(oauth?.clients === undefined ? {} : { clients: oauth.clients }),
    ...(oauth?.documents === "off" ? {} : { documents: { fetch, loopback } }),
  };
}

function storeOf(options: GatewayOptions): StoreWhere {
  return options.database === undefined
    ? { kind: "sqlite", dataDir: options.dataDir }
    : { kind: "postgres", url: options.database };
}

/** One process a data directory, whatever holds the store: its socket, its browsers' scratch space and its key file. */
function prepareDataDir(
  options: GatewayOptions,
): Result<{ readonly lock: StoreLock; readonly sealer: ReturnType<typeof createSealer> }, StartProblem> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  chmodSync(options.dataDir, 0o700);
  const lock = takeStoreLock(options.dataDir, { pid: process.pid, url: options.issuer });
  if (!lock.ok) return err({ kind: "store_in_use", held: lock.reason.held });
  const key = loadMasterKey(options.dataDir, options.env);
  if (!key.ok) {
    lock.value.release();
    return err({ kind: "master_key", problem: key.reason });
  }
  return ok({ lock: lock.value, sealer: createSealer(key.value) });
}

/**
 * What a set of plugins brings to the seams, as the options of {@link startGateway}. The plugins were judged when the
 * kernel was built; here they are only read.
 */
export function fromKernel(
  kernel: Kernel,
): Pick<
  GatewayOptions,
  | "sites"
  | "operations"
  | "routes"
  | "access"
  | "authorities"
  | "identities"
  | "callerIdentities"
  | "bindings"
  | "http"
  | "protocols"
> &
  Partial<Pick<GatewayOptions, "egress">> {
  const seams = kernel.scope(gatewayPlugin.manifest.id);
  const egress = seams.get(egressPoint) as ((guard: Guard) => Egress) | undefined;
  return {
    sites: [...seams.get(operationPoint).values()],
    operations: [...seams.get(cataloguePoint).values()],
    authorities: seams.get(authorityPoint),
    access: seams.get(accessPoint),
    identities: seams.get(identityPoint),
    callerIdentities: seams.get(callerPoint),
    bindings: seams.entries(bindingPoint).map(({ plugin, value }) => ({ plugin, value })),
    http: seams.entries(httpPoint).map(({ plugin, value }) => ({ plugin, value })),
    protocols: listProtocols(kernel),
    routes: (guard) => [...seams.get(routePoint).values()].map((make) => make(guard)),
    ...(egress === undefined ? {} : { egress }),
  };
}

/** The tokens of the operator's own authorization server count, and ours do not. */
function withOutsideIssuer(core: Core, ours: OAuth, { oauth, egress }: GatewayOptions, resource: string): OAuth {
  const setting = oauth?.outside;
  if (setting === undefined) return ours;
  const { fetch } = (egress ?? createEgress)(createGuard({ namedOrigins: new Set([new URL(setting.issuer).origin]) }));
  const keys = createIssuerKeys({ issuer: setting.issuer, fetch, now: core.now, log: core.log });
  const verify = outsideTokenVerifier({ core, setting, keys, resource });
  return { ...ours, verifyAccessToken: (...shown) => core.store.as("system", () => verify(...shown)) };
}

function openIdOrigin(setting: OpenIdSetting | undefined): ReadonlySet<string> {
  return new Set(setting === undefined ? [] : [new URL(setting.issuer).origin]);
}

/** Only configured destinations may stand on addresses that are not public, each named by its exact origin (U51). */
function namedOrigins(settings: readonly DestinationSetting[]): ReadonlySet<string> {
  return new Set(
    settings.flatMap((s) => [s.origin, ...(s.alsoOrigins ?? []), ...Object.values(s.originByRoute ?? {})]),
  );
}

function catalogueOf(operations: readonly Operation[], sites: readonly Site[]): Catalogue {
  const catalogue = buildCatalogue(operations);
  for (const site of sites) {
    for (const entry of site.entries) {
      const adapters: readonly { readonly operation: string; readonly effect: string }[] = entry.operations;
      for (const adapter of adapters) {
        const known = catalogue.get(adapter.operation);
        assert(
          known?.effect === adapter.effect,
          `the adapter of ${site.id} names an operation of the catalogue, with its effect`,
        );
      }
    }
  }
  return catalogue;
}
