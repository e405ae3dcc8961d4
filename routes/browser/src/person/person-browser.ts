import { type Destination, type Log, SiteTrouble } from "@countersign/plugin";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Launched, type LaunchOptions, launchChromium } from "../chromium/launch.ts";
import { Door } from "../door/door.ts";
import type { Sign } from "../door/signing.ts";
import { ACTION_MS, CLOSE_MS, NAVIGATION_MS, VIEWPORT } from "../limits.ts";
import { allowList } from "../proxy/allow.ts";
import { startProxy } from "../proxy/proxy.ts";
import type { Resolve } from "../proxy/resolve.ts";
import type { StorageState } from "../state/material.ts";
import { type Timers, within } from "../timers.ts";
import { locateFrame } from "./locate.ts";

export interface PersonBrowserOptions extends LaunchOptions {
  readonly resolve: Resolve;
  readonly timers: Timers;
  /** BCP 47; what pages see as the person's language. */
  readonly locale: string;
}

/** One task's or one sign-in's own cookies, storage, proxy and pages. */
export interface TaskContext {
  readonly context: BrowserContext;
  readonly contextId: string;
  readonly door: Door;
  /** The blank page the context was opened with; whoever asks first for a page gets it. */
  readonly firstPage: Page;
  /** Rejects with {@link SiteTrouble} when the browser or the context is gone; never resolves. */
  readonly gone: Promise<never>;
  isOpen(): boolean;
  /** Held requests are failed before anything is torn down. */
  close(): Promise<void>;
}

export interface ContextOptions {
  readonly destination: Destination;
  readonly storageState: StorageState | undefined;
  readonly log: Log;
  /** How the destination is told who is calling; without it, it is not. */
  readonly sign: Sign | undefined;
  onRefusedHost(host: string): void;
  /** A page of this context wanted to commit outside the boundary. */
  onRefusedCommit(): void;
}

/** The browser process of one person, with its door. */
export class PersonBrowser {
  readonly pid: number;
  readonly door: Door;
  readonly #launched: Launched;
  readonly #options: PersonBrowserOptions;
  readonly #contexts = new Map<string, BrowserContext>();
  readonly #told = new Map<string, Pick<ContextOptions, "log" | "onRefusedCommit">>();
  readonly #gone: Promise<void>;
  #cleaned: Promise<void> = Promise.resolve();

  static async launch(options: PersonBrowserOptions, log: Log): Promise<PersonBrowser> {
    const launched = await launchChromium(options);
    log.info("browser.started", { pid: launched.pid });
    return new PersonBrowser(launched, options, log);
  }

  private constructor(launched: Launched, options: PersonBrowserOptions, log: Log) {
    this.#launched = launched;
    this.#options = options;
    this.pid = launched.pid;
    this.door = new Door({
      cdp: launched.cdp,
      acceptLanguage: options.locale,
      locate: (frameId) => locateFrame(launched.cdp, this.#contexts, frameId),
      onRefused: (contextId, pattern) => {
        const told = this.#told.get(contextId ?? "");
        (told?.log ?? log).warn("browser.commit_refused", { method: pattern.method, path: pattern.path });
        told?.onRefusedCommit();
      },
      onLost: () => log.warn("browser.request_lost"),
    });
    this.#gone = new Promise((resolve) => {
      launched.browser.once("disconnected", () => {
        log.info("browser.gone", { pid: launched.pid });
        this.#cleaned = launched.cleanUp();
        resolve();
      });
    });
  }

  isConnected(): boolean {
    return this.#browser.isConnected();
  }

  /** Resolves when the process has ended, whatever ended it. */
  whenGone(): Promise<void> {
    return this.#gone;
  }

  get #browser(): Browser {
    return this.#launched.browser;
  }

  /** @throws what Playwright throws when the browser is gone or the state cannot be put back. */
  async newContext(options: ContextOptions): Promise<TaskContext> {
    const { destination, storageState } = options;
    const origins = [destination.origin, ...destination.alsoOrigins];
    // What commits may leave from a frame of another origin's: every origin that the context reaches is guarded alike.
    for (const origin of origins) await this.door.guard({ origin, patterns: destination.commits });
    const proxy = await startProxy({
      allow: allowList(origins),
      resolve: this.#options.resolve,
      onRefused: options.onRefusedHost,
    });
    let context: BrowserContext | undefined;
    try {
      context = await this.#browser.newContext({
        proxy: { server: proxy.url },
        viewport: VIEWPORT,
        locale: this.#options.locale,
        acceptDownloads: false,
        // A worker that answers for the site survives pages, and is lost with the context anyway.
        serviceWorkers: "block",
        ...(storageState ? { storageState } : {}),
      });
      context.setDefaultTimeout(ACTION_MS);
      context.setDefaultNavigationTimeout(NAVIGATION_MS);
      // Granting nothing rejects everything: no prompt that nobody sees.
      await context.grantPermissions([]);
      context.on("page", (page) => refuseFiles(page));
      const firstPage = await context.newPage();
      const contextId = await contextIdOf(context, firstPage);
      this.#contexts.set(contextId, context);
      this.#told.set(contextId, options);
      if (options.sign !== undefined) this.door.sign(contextId, destination.origin, options.sign);
      return this.#taskContext(context, contextId, firstPage, () => proxy.close());
    } catch (error) {
      await context?.close().catch(() => {});
      await proxy.close();
      throw error;
    }
  }

  #taskContext(context: BrowserContext, contextId: string, firstPage: Page, after: () => Promise<void>): TaskContext {
    let closing: Promise<void> | undefined;
    const gone = new Promise<never>((_, reject) => {
      const trouble = () => reject(new SiteTrouble("the person's browser is gone"));
      this.#browser.once("disconnected", trouble);
      context.once("close", trouble);
    });
    gone.catch(() => {});
    const close = async () => {
      await within(this.#options.timers, CLOSE_MS, this.door.leave(contextId));
      await within(
        this.#options.timers,
        CLOSE_MS,
        context.close().catch(() => {}),
      );
      this.#contexts.delete(contextId);
      this.#told.delete(contextId);
      await after();
    };
    return {
      context,
      contextId,
      door: this.door,
      firstPage,
      gone,
      isOpen: () => closing === undefined && this.isConnected(),
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  }

  /** Held requests first, then the process. */
  async close(): Promise<void> {
    await within(this.#options.timers, CLOSE_MS, this.door.leaveAll());
    await within(
      this.#options.timers,
      CLOSE_MS,
      this.#browser.close().catch(() => {}),
    );
    await within(this.#options.timers, CLOSE_MS, this.#gone);
    await this.#cleaned;
  }
}

async function contextIdOf(context: BrowserContext, page: Page): Promise<string> {
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send("Target.getTargetInfo");
  await session.detach();
  if (!targetInfo.browserContextId) throw new SiteTrouble("the browser names no context");
  return targetInfo.browserContextId;
}

/** A listener makes Chromium hand the chooser over instead of opening it; nothing is ever chosen here. */
function refuseFiles(page: Page): void {
  page.on("filechooser", () => {});
}
