import {
  type AccountIdentity,
  type Ctx,
  type Destination,
  type LiveSignIn,
  type SignInTries,
  SiteTrouble,
} from "@countersign/plugin";
import { assert, err, ok, type Result } from "@countersign/wire";
import { NAVIGATION_MS } from "./limits.ts";
import type { TaskContext } from "./person/person-browser.ts";
import { guardTries } from "./person/tries.ts";
import { type BrowserSession, type BrowserSignIn, browserSession, urlAt } from "./session/session.ts";
import { toMaterial } from "./state/material.ts";
import { type Timers, within } from "./timers.ts";
import { PageView } from "./view/live-view.ts";
import { OwnPages } from "./view/own-pages.ts";
import { refusePasskeys } from "./view/passkeys.ts";
import { drawSelectsInPage } from "./view/select-style.ts";

export interface SignInOptions {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly task: TaskContext;
  readonly timers: Timers;
  readonly tries: SignInTries;
  /** Says when a page wanted to commit: here only the gateway does, and not now. */
  onRefusedCommit(listener: () => void): void;
  /** Gives the place in the browser back. */
  leave(): void;
}

/** Opens the destination's own sign-in page for the person (MFA-2), in a context that has no session yet. */
export async function liveSignIn(options: SignInOptions): Promise<Result<LiveSignIn, "site_unavailable">> {
  const { ctx, destination, task, timers, tries } = options;
  const { context, firstPage } = task;
  const view = new PageView({ context, destination, timers });
  const tell = view.tell.bind(view);
  await context.addInitScript(drawSelectsInPage);
  await refusePasskeys(context, () => tell({ code: "passkey" }));
  guardTries({ task, timers, tries, tell });
  options.onRefusedCommit(() => tell({ code: "commit_refused" }));
  const pages = new OwnPages(task, view);
  context.on("page", (page) => pages.opened(page));
  task.gone.catch(() => view.close("browser_gone"));

  // From the first answer on: a page that does not come has something to say.
  await view.follow(firstPage);
  const url = urlAt(destination.origin, signInPath(destination));
  const arrived = await within(
    timers,
    NAVIGATION_MS,
    firstPage.goto(url, { waitUntil: "commit" }).then(() => true),
  ).catch(() => err("failed" as const));
  if (!arrived.ok) {
    await close();
    return err("site_unavailable");
  }

  async function close(): Promise<void> {
    view.close("ended");
    await task.close();
    options.leave();
  }

  return ok({
    mode: "live",
    view,
    async verify() {
      try {
        const session = browserSession({
          task,
          origin: destination.origin,
          alsoOrigins: destination.alsoOrigins,
          timers,
          newPage: () => pages.open(),
        });
        const identity = await Promise.race([identify(ctx, destination, session), task.gone]);
        if (!identity) return err("not_signed_in");
        return ok({ identity, material: toMaterial(await context.storageState({ indexedDB: true })) });
      } catch (error) {
        // The message may quote the page; its kind is all the operator needs here.
        ctx.log.warn("browser.verify_failed", { kind: error instanceof SiteTrouble ? "site_trouble" : "adapter" });
        return err("site_unavailable");
      } finally {
        await pages.closeOwn();
      }
    },
    close,
  });
}

function signInPath(destination: Destination): string {
  const signIn = destination.entry.signIn as Partial<BrowserSignIn> | undefined;
  assert(typeof signIn?.path === "string", "a browser adapter's signIn names a path");
  return signIn.path;
}

function identify(ctx: Ctx, destination: Destination, session: BrowserSession): Promise<AccountIdentity | undefined> {
  // `never` in the registry's type: the route knows what its own adapters take.
  return destination.entry.identify(ctx, session as never);
}
