import type { Destination, LiveView, ViewInput, ViewMessage } from "@countersign/plugin";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import {
  VIEW_INPUT_MS,
  VIEW_INPUTS_WAITING_MAX,
  VIEW_PAGES_MAX,
  VIEW_SIZE_MAX,
  VIEW_SIZE_MIN,
  VIEWPORT,
} from "../limits.ts";
import { type Timers, within } from "../timers.ts";
import { Dialogs } from "./dialogs.ts";
import { keyDispatch } from "./keys.ts";
import { clampSize, locationOf } from "./location.ts";
import { mouseDispatch } from "./pointer.ts";
import { Screencast, type Size } from "./screencast.ts";
import { enterText } from "./typing.ts";

export interface LiveViewOptions {
  readonly context: BrowserContext;
  readonly destination: Pick<Destination, "origin" | "alsoOrigins">;
  readonly timers: Timers;
}

interface Shown {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly cast: Screencast;
}

type Driven = Exclude<ViewInput, { type: "ack" } | { type: "dialog" }>;

/**
 * What the person sees and does. Follows pop-ups and new tabs, and goes back when they close. Nothing typed is kept,
 * logged or put in an error; the input goes to the page and is forgotten.
 */
export class PageView implements LiveView {
  readonly #options: LiveViewOptions;
  readonly #listeners = new Set<(message: ViewMessage) => void>();
  readonly #dialogs: Dialogs;
  /** The person's pages, the shown one last. */
  #pages: Page[] = [];
  #shown: Shown | undefined;
  #size: Size = VIEWPORT;
  #frames = 0;
  #pressed = 0;
  #waiting = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #switching: Promise<void> = Promise.resolve();
  #closed: string | undefined;

  constructor(options: LiveViewOptions) {
    this.#options = options;
    this.#dialogs = new Dialogs(options.timers, (message) => this.#emit(message));
  }

  subscribe(listener: (message: ViewMessage) => void): () => void {
    this.#listeners.add(listener);
    if (this.#closed !== undefined) listener({ type: "closed", reason: this.#closed });
    const shown = this.#shown;
    if (shown) {
      listener(locationOf(shown.page.url(), this.#options.destination));
      if (this.#dialogs.current) listener(this.#dialogs.current);
      // A viewer that went away may have left frames unacknowledged, which stops the stream.
      void shown.cast.start();
    }
    return () => this.#listeners.delete(listener);
  }

  /** Shows a page of the person's and listens to it; the newest page is the one shown. */
  follow(page: Page): Promise<void> {
    if (this.#pages.includes(page) || this.#closed !== undefined) return this.#switching;
    if (this.#pages.length >= VIEW_PAGES_MAX) {
      this.#notice("The page tried to open too many windows.");
      page.close().catch(() => {});
      return this.#switching;
    }
    this.#pages.push(page);
    page.on("close", () => this.#pageClosed(page));
    page.on("crash", () => this.#notice("The page has crashed. Go back, or close and start again."));
    page.on("dialog", (dialog) => this.#dialogs.opened(dialog));
    page.on("filechooser", () => this.#notice("The page asks for a file. Files cannot be chosen here."));
    page.on("download", () => this.#notice("The page offers a download. Downloads are not kept here."));
    page.on("framenavigated", (frame) => {
      if (frame !== page.mainFrame() || this.#shown?.page !== page) return;
      this.#emit(locationOf(frame.url(), this.#options.destination));
      this.#shown.cast.expectFrame();
    });
    page.on("requestfailed", (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) this.#unreached(request.url());
    });
    return this.#show(page);
  }

  async input(event: ViewInput): Promise<void> {
    if (event.type === "ack") return this.#shown?.cast.ack(event.id);
    // Not behind the queue: the click that opened the dialog is still waiting in it.
    if (event.type === "dialog") return this.#dialogs.answer(event.accept ? "accept" : "dismiss", event.text);
    if (this.#waiting >= VIEW_INPUTS_WAITING_MAX || this.#dialogs.current) return;
    this.#waiting++;
    const done = this.#queue.then(() => this.#drive(event));
    this.#queue = done.finally(() => {
      this.#waiting--;
    });
    return done;
  }

  close(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    this.#emit({ type: "closed", reason });
    void this.#dialogs.answer("dismiss");
    void this.#shown?.cast.stop();
    this.#shown = undefined;
  }

  async #drive(event: Driven): Promise<void> {
    await this.#switching;
    const shown = this.#shown;
    if (!shown) return;
    const work = this.#perform(event, shown).catch(() => {});
    await within(this.#options.timers, VIEW_INPUT_MS, work);
    if (this.#shown === shown) shown.cast.expectFrame();
  }

  async #perform(event: Driven, { page, cdp, cast }: Shown): Promise<void> {
    switch (event.type) {
      case "key": {
        const dispatch = keyDispatch(event);
        if (dispatch) await cdp.send("Input.dispatchKeyEvent", dispatch);
        return;
      }
      case "text":
        return enterText(page, cdp, event.text);
      case "mouse": {
        const { dispatch, pressed } = mouseDispatch(event, this.#pressed);
        this.#pressed = pressed;
        await cdp.send("Input.dispatchMouseEvent", dispatch);
        return;
      }
      case "resize":
        this.#size = clampSize(event, VIEW_SIZE_MIN, VIEW_SIZE_MAX);
        // Playwright's call is Emulation.setDeviceMetricsOverride and keeps its own picture of the page right.
        await page.setViewportSize(this.#size);
        return cast.start(this.#size);
      case "back":
        await page.goBack({ waitUntil: "commit", timeout: VIEW_INPUT_MS });
    }
  }

  #show(page: Page): Promise<void> {
    this.#switching = this.#switching.then(() => this.#switchTo(page)).catch(() => {});
    return this.#switching;
  }

  async #switchTo(page: Page): Promise<void> {
    if (page.isClosed() || this.#closed !== undefined || this.#shown?.page === page) return;
    await this.#shown?.cast.stop();
    this.#pressed = 0;
    await page.setViewportSize(this.#size);
    const cdp = await this.#options.context.newCDPSession(page);
    const cast = new Screencast(
      {
        cdp,
        timers: this.#options.timers,
        nextId: () => ++this.#frames,
        onFrame: ({ id, width, height, jpeg }) => this.#emit({ type: "frame", id, width, height, jpeg }),
      },
      this.#size,
    );
    this.#shown = { page, cdp, cast };
    this.#emit(locationOf(page.url(), this.#options.destination));
    await cast.start();
    cast.expectFrame();
  }

  #pageClosed(page: Page): void {
    this.#pages = this.#pages.filter((each) => each !== page);
    if (this.#shown?.page !== page || this.#closed !== undefined) return;
    this.#shown = undefined;
    const before = this.#pages.at(-1);
    if (before) void this.#show(before);
    else this.close("The page has been closed.");
  }

  #unreached(url: string): void {
    const { trusted, origin } = locationOf(url, this.#options.destination);
    this.#notice(
      trusted
        ? "The site could not be reached, or refused the page."
        : `The page tried to go to ${origin}, which is not one of this site's addresses here.`,
    );
  }

  #notice(text: string): void {
    this.#emit({ type: "notice", text });
  }

  #emit(message: ViewMessage): void {
    for (const listener of this.#listeners) listener(message);
  }
}
