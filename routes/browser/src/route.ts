import type { Ctx, Destination, Route } from "@countersign/plugin";
import { assert, err, ok, type Result } from "@countersign/wire";
import { BROWSER_IDLE_MS, SESSIONS_PER_PERSON } from "./limits.ts";
import { openSession } from "./open.ts";
import type { ContextOptions, TaskContext } from "./person/person-browser.ts";
import { BrowserPool } from "./person/pool.ts";
import { type Resolve, resolvePublic } from "./proxy/resolve.ts";
import { liveSignIn } from "./sign-in.ts";
import { fromMaterial } from "./state/material.ts";
import { systemTimers, type Timers } from "./timers.ts";

export interface BrowserRouteOptions {
  /** Chromium's program; see `findChromium` and `ensureChromium`. */
  readonly executablePath: string;
  /** `off` lets Chromium run without its own sandbox, as it must as root; said loudly in the log. */
  readonly sandbox: "on" | "off";
  /** A folder that only the gateway may read; browsers keep what they write in it while they run. */
  readonly profileRoot: string;
  /** Tasks and sign-ins of one person at once. */
  readonly maxSessionsPerPerson?: number;
  /** Which address a host may be reached at. Default: public addresses only. */
  readonly resolve?: Resolve;
  /** Whether the destination's own requests say who is calling (`Ctx.withIdentity`). Default: none does. */
  readonly signs?: (destination: Destination) => boolean;
  readonly launchArgs?: readonly string[];
  /** What pages see as the person's language, BCP 47. Default `en-US`. */
  readonly locale?: string;
  /** A person's browser is stopped when unused for this long. */
  readonly idleMs?: number;
  readonly timers?: Timers;
  /** The user this process runs as; undefined where the system has none. */
  readonly uid?: number | undefined;
}

/** Thrown when the settings cannot be honoured: started as root with the sandbox on. */
export class SandboxImpossible extends Error {
  override readonly name = "SandboxImpossible";
}

/**
 * Reaches destinations through their own pages in a real browser: one process a person, one context a task.
 * @throws SandboxImpossible when run as root with `sandbox: "on"`.
 */
export function createBrowserRoute(options: BrowserRouteOptions): Route {
  const uid = "uid" in options ? options.uid : process.getuid?.();
  if (uid === 0 && options.sandbox === "on") {
    throw new SandboxImpossible(
      'Chromium has no sandbox as root. Run the gateway as another user, or set sandbox: "off" for a demonstration.',
    );
  }
  const timers = options.timers ?? systemTimers;
  const signs = options.signs ?? (() => false);
  const pool = new BrowserPool({
    executablePath: options.executablePath,
    sandbox: options.sandbox,
    profileRoot: options.profileRoot,
    launchArgs: options.launchArgs ?? [],
    locale: options.locale ?? "en-US",
    resolve: options.resolve ?? resolvePublic,
    maxSessionsPerPerson: options.maxSessionsPerPerson ?? SESSIONS_PER_PERSON,
    idleMs: options.idleMs ?? BROWSER_IDLE_MS,
    timers,
  });
  return {
    kind: "browser",
    async open(ctx, destination, material) {
      const before = fromMaterial(material);
      if (!before.ok) {
        ctx.log.warn("browser.material_unreadable", { destination: destination.id });
        return err("sign_in");
      }
      const sign = signs(destination) ? ctx.withIdentity : undefined;
      const place = await take(pool, ctx, { destination, sign, storageState: before.value });
      if (!place.ok) return err("site_unavailable");
      return ok(openSession({ destination, before: before.value, timers, ...place.value }));
    },
    async beginSignIn(ctx, destination, tries) {
      const sign = signs(destination) ? ctx.withIdentity : undefined;
      const place = await take(pool, ctx, { destination, sign, storageState: undefined });
      if (!place.ok) return err(place.reason === "busy" ? "busy" : "site_unavailable");
      return liveSignIn({ ctx, destination, timers, tries, ...place.value });
    },
    stop: () => pool.stop(),
  };
}

interface Place {
  readonly task: TaskContext;
  onRefusedCommit(listener: () => void): void;
  leave(): void;
}

async function take(
  pool: BrowserPool,
  ctx: Ctx,
  wanted: Pick<ContextOptions, "destination" | "sign" | "storageState">,
): Promise<Result<Place, "busy" | "unavailable">> {
  assert(ctx.person, "the browser route works for a person");
  const { destination } = wanted;
  const lease = await pool.enter(`${ctx.tenant}/${ctx.person}`, ctx.log);
  if (!lease.ok) {
    ctx.log.warn("browser.no_place", { why: lease.reason });
    return lease;
  }
  const { browser, leave } = lease.value;
  const onRefusedHost = (host: string) => ctx.log.info("browser.host_refused", { destination: destination.id, host });
  const refused = { listener: () => {} };
  const onRefusedCommit = () => refused.listener();
  try {
    const task = await browser.newContext({ ...wanted, log: ctx.log, onRefusedHost, onRefusedCommit });
    const listen = (listener: () => void) => {
      refused.listener = listener;
    };
    return ok({ task, leave, onRefusedCommit: listen });
  } catch {
    leave();
    ctx.log.warn("browser.context_failed", { destination: destination.id });
    return err("unavailable");
  }
}
