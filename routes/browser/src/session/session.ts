import { type HeldExchange, type RequestPattern, type Session, type SiteEntry, SiteTrouble } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import type { Page } from "playwright-core";
import type { TaskContext } from "../person/person-browser.ts";
import type { Timers } from "../timers.ts";

export interface HoldOptions {
  /** One of the destination's commits. */
  readonly pattern: RequestPattern;
  /**
   * Where the request goes, when that is another of the destination's origins than its own: a frame of another company's.
   * The same request to any other origin is refused.
   */
  readonly origin?: string;
  /** How long the committing request may take to appear, from the start of `act`. */
  readonly timeoutMs: number;
}

/** A person's own session at a destination, in a browser context of its own. */
export interface BrowserSession extends Session {
  readonly kind: "browser";
  /**
   * A fresh page of this session, blank or at `origin + path`, its document loaded.
   * @param path begins with `/`; may have a query.
   * @throws SiteTrouble when the site does not answer, or the browser is gone.
   */
  page(path?: string): Promise<Page>;
  /**
   * Lets exactly one request be held: arms the door, runs `act` (usually a click) without waiting for its end, since it
   * may hang until the request is answered. Later matches are refused, and so is everything before. Once one held
   * request was answered this session holds no other.
   * @throws SiteTrouble when no such request appears in time; what `act` throws before that.
   */
  hold(act: () => Promise<void>, options: HoldOptions): Promise<HeldExchange>;
  /** Whether the site has answered 429 in this session: it looks like a missing element otherwise. */
  seen429(): boolean;
}

/** What a browser adapter's `signIn` is: where a person signs in. */
export interface BrowserSignIn {
  /** Begins with `/`; may have a query. */
  readonly path: string;
}

export type BrowserSite = SiteEntry<BrowserSession, BrowserSignIn>;

export interface SessionOptions {
  readonly task: TaskContext;
  readonly origin: string;
  /** Further origins of the destination's. */
  readonly alsoOrigins: readonly string[];
  readonly timers: Timers;
  /** Makes the page; a live sign-in marks it as not the person's. */
  newPage(): Promise<Page>;
}

export function browserSession(options: SessionOptions): BrowserSession {
  const { task, origin, timers } = options;
  let throttled = false;
  task.context.on("response", (response) => {
    throttled ||= response.status() === 429;
  });
  const open = () => {
    if (!task.isOpen()) throw new SiteTrouble("the person's browser is gone");
  };
  return {
    kind: "browser",
    origin,
    seen429: () => throttled,
    async page(path) {
      open();
      const page = await Promise.race([trouble(options.newPage()), task.gone]);
      if (path !== undefined) await Promise.race([visit(page, origin, path), task.gone]);
      return page;
    },
    async hold(act, { pattern, timeoutMs, origin: at = origin }) {
      open();
      assert(at === origin || options.alsoOrigins.includes(at), "hold: not an origin of the destination's");
      const wait = task.door.arm(task.contextId, at, pattern);
      let stop: () => void = () => {};
      const late = new Promise<never>((_, reject) => {
        stop = timers.after(timeoutMs, () => reject(new SiteTrouble(`no committing request in ${timeoutMs} ms`)));
      });
      const failed = new Promise<never>((_, reject) => {
        act().catch(reject);
      });
      try {
        return await Promise.race([wait.exchange, failed, late, task.gone]);
      } finally {
        stop();
        wait.cancel();
        failed.catch(() => {});
      }
    },
  };
}

async function visit(page: Page, origin: string, path: string): Promise<void> {
  const url = urlAt(origin, path);
  await trouble(page.goto(url, { waitUntil: "domcontentloaded" }));
}

/** @throws AssertionFailed for a path that leads elsewhere: adapters name their own pages. */
export function urlAt(origin: string, path: string): string {
  assert(path.startsWith("/") && URL.canParse(path, origin), "a page's path begins with a slash");
  const url = new URL(path, origin);
  assert(url.origin === new URL(origin).origin, "a page's path stays at its origin");
  return url.href;
}

/** Playwright's messages hold URLs, and URLs hold tokens: only the network's own word for it is passed on. */
async function trouble<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = /net::[A-Z_]+|Timeout/.exec(error instanceof Error ? error.message : "")?.[0] ?? "page closed";
    throw new SiteTrouble(`the site could not be opened: ${code}`);
  }
}
