import type { Destination, LiveView, ViewEnd, ViewInput, ViewMessage, ViewNotice, ViewTab } from "@countersign/plugin";
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import {
  VIEW_INPUT_MS,
  VIEW_INPUT_TRIES_MAX,
  VIEW_INPUTS_WAITING_MAX,
  VIEW_PAGES_MAX,
  VIEW_SIZE_MAX,
  VIEW_SIZE_MIN,
  VIEW_TITLE_MAX_CHARS,
  VIEWPORT,
} from "../limits.ts";
import { type Timers, within } from "../timers.ts";
import { Dialogs } from "./dialogs.ts";
import { keyDispatch } from "./keys.ts";
import { clampSize, locationOf } from "./location.ts";
import { mouseDispatch } from "./pointer.ts";
import { Screencast, type Size } from "./screencast.ts";
import { onceSettled } from "./settled.ts";
import { watchSigns } from "./signs.ts";
import { compose, enterText, insertText } from "./typing.ts";

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
  /** The person's pages in the order in which they were opened, by a number of ours. */
  readonly #pages = new Map<number, Page>();
  #numbered = 0;
  #told = "";
  #shown: Shown | undefined;
  #size: Size = VIEWPORT;
  #frames = 0;
  #pressed = 0;
  #composing = false;
  #waiting = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #switching: Promise<void> = Promise.resolve();
  #closed: ViewEnd | undefined;
  /** Said until the page moves on; a viewer that comes later hears it too. */
  #notice: ViewNotice | undefined;
  /** Of the navigation under way: it has to be said once more when the page has moved there. */
  #arriving: Omit<ViewNotice, "type"> | undefined;

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
      if (this.#notice) listener(this.#notice);
      if (this.#dialogs.current) listener(this.#dialogs.current);
      this.#told = "";
      void this.#tellTabs();
      // A viewer that went away may have left frames unacknowledged, which stops the stream.
      void shown.cast.start();
    }
    return () => this.#listeners.delete(listener);
  }

  /** Shows a page of the person's and listens to it; the newest page is the one shown. */
  follow(page: Page): Promise<void> {
    if ([...this.#pages.values()].includes(page) || this.#closed !== undefined) return this.#switching;
    if (this.#pages.size >= VIEW_PAGES_MAX) {
      this.tell({ code: "too_many_windows" });
      page.close().catch(() => {});
      return this.#switching;
    }
    this.#pages.set(++this.#numbered, page);
    page.on("close", () => this.#pageClosed(page));
    page.on("dialog", (dialog) => this.#dialogs.opened(dialog));
    page.on("framenavigated", (frame) => {
      if (frame !== page.mainFrame()) return;
      void this.#tellTabs();
      if (this.#shown?.page === page) this.#moved(this.#shown);
    });
    page.on("domcontentloaded", () => void this.#tellTabs());
    watchSigns(page, this.#options.destination, {
      tell: (notice) => this.tell(notice),
      arriving: (notice) => {
        this.#arriving = notice;
        if (notice) this.tell(notice);
      },
    });
    return this.#show(page);
  }

  /** Says what the picture cannot. */
  tell(notice: Omit<ViewNotice, "type">): void {
    if (this.#closed !== undefined) return;
    this.#notice = { type: "notice", ...notice };
    this.#emit(this.#notice);
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

  close(reason: ViewEnd): void {
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
      case "text": {
        const composed = this.#composing;
        this.#composing = false;
        // What was composed is in its field already; the text takes its place there.
        return composed ? insertText(cdp, event.text) : enterText(page, cdp, event.text);
      }
      case "compose":
        this.#composing = event.text !== "";
        return compose(cdp, event.text);
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
        return this.#settled(() => page.goBack({ waitUntil: "commit", timeout: VIEW_INPUT_MS }));
      case "reload":
        return this.#settled(() => page.reload({ waitUntil: "commit", timeout: VIEW_INPUT_MS }));
      case "tab":
        return this.#tab(event.id, event.action);
    }
  }

  #settled(step: () => Promise<unknown>): Promise<void> {
    return onceSettled(this.#options.timers, VIEW_INPUT_TRIES_MAX, step);
  }

  async #tab(id: number, action: "show" | "close"): Promise<void> {
    const page = this.#pages.get(id);
    // The last page stays: closing it would end the sign-in, and for that there is a way of its own.
    if (page === undefined || (action === "close" && this.#pages.size === 1)) return;
    await (action === "show" ? this.#show(page) : page.close());
  }

  #moved(shown: Shown): void {
    this.#notice = undefined;
    this.#emit(locationOf(shown.page.url(), this.#options.destination));
    if (this.#arriving) this.tell(this.#arriving);
    this.#arriving = undefined;
    shown.cast.expectFrame();
  }

  #show(page: Page): Promise<void> {
    this.#switching = this.#switching.then(() => this.#switchTo(page)).catch(() => {});
    return this.#switching;
  }

  async #switchTo(page: Page): Promise<void> {
    if (page.isClosed() || this.#closed !== undefined || this.#shown?.page === page) return;
    await this.#shown?.cast.stop();
    this.#pressed = 0;
    this.#composing = false;
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
    this.#moved(this.#shown);
    void this.#tellTabs();
    await cast.start();
    cast.expectFrame();
  }

  /** The list of pages, when there are several or have been a moment ago. */
  async #tellTabs(): Promise<void> {
    const pages = [...this.#pages];
    const titles = await Promise.all(pages.map(([, page]) => this.#titleOf(page)));
    const tabs: readonly ViewTab[] = pages.map(([id, page], i) => ({
      id,
      title: titles[i] ?? "",
      origin: locationOf(page.url(), this.#options.destination).origin,
      shown: this.#shown?.page === page,
    }));
    const told = tabs.length > 1 ? JSON.stringify(tabs) : "";
    if (told === this.#told || this.#closed !== undefined) return;
    this.#told = told;
    this.#emit({ type: "tabs", tabs: tabs.length > 1 ? tabs : [] });
  }

  async #titleOf(page: Page): Promise<string> {
    const title = await within(this.#options.timers, VIEW_INPUT_MS, page.title()).catch(() => undefined);
    return title?.ok === true ? title.value.slice(0, VIEW_TITLE_MAX_CHARS) : "";
  }

  #pageClosed(page: Page): void {
    for (const [id, each] of this.#pages) if (each === page) this.#pages.delete(id);
    if (this.#closed !== undefined) return;
    if (this.#shown?.page !== page) return void this.#tellTabs();
    this.#shown = undefined;
    const before = [...this.#pages.values()].at(-1);
    if (before) void this.#show(before);
    else this.close("page_closed");
  }

  #emit(message: ViewMessage): void {
    for (const listener of this.#listeners) listener(message);
  }
}
