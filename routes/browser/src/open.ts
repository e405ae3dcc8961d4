import type { Destination, OpenSession } from "@countersign/plugin";
import type { Page } from "playwright-core";
import type { TaskContext } from "./person/person-browser.ts";
import { browserSession } from "./session/session.ts";
import { type StorageState, sameState, toMaterial } from "./state/material.ts";
import { secretValues } from "./state/secrets.ts";
import type { Timers } from "./timers.ts";
import { PageView } from "./view/live-view.ts";
import { OwnPages } from "./view/own-pages.ts";
import { drawSelectsInPage } from "./view/select-style.ts";

export interface OpenOptions {
  readonly destination: Destination;
  readonly task: TaskContext;
  /** The state the context was opened with. */
  readonly before: StorageState;
  readonly timers: Timers;
  onRefusedCommit(listener: () => void): void;
  leave(): void;
}

export function openSession(options: OpenOptions): OpenSession {
  const { destination, task, before, timers } = options;
  let first: Page | undefined = task.firstPage;
  let shown: { readonly view: PageView; readonly pages: OwnPages } | undefined;
  const newPage = async () => {
    // While the person looks on, what the session opens for itself is not theirs to see or to drive.
    if (shown !== undefined) return shown.pages.open();
    const page = first ?? (await task.context.newPage());
    first = undefined;
    return page;
  };
  // One look at a time: Playwright opens a page of its own to read storage.
  let looking: Promise<unknown> = Promise.resolve();
  const look = (): Promise<StorageState> => {
    const state = looking.then(() => task.context.storageState({ indexedDB: true }));
    looking = state.catch(() => {});
    return state;
  };
  return {
    session: browserSession({
      task,
      origin: destination.origin,
      alsoOrigins: destination.alsoOrigins,
      timers,
      newPage,
    }),
    async secrets() {
      const now = await look().catch(() => before);
      // What the site has replaced meanwhile may still stand in a page that was read earlier.
      const all = [...secretValues(now), ...secretValues(before)];
      return [...new Map(all.map((each) => [each.reveal(), each])).values()];
    },
    async material() {
      const now = await look().catch(() => undefined);
      return now === undefined || sameState(now, before) ? undefined : toMaterial(now);
    },
    async view() {
      if (shown !== undefined) return shown.view;
      const view = new PageView({ context: task.context, destination, timers });
      const pages = new OwnPages(task, view);
      const there = task.context.pages();
      shown = { view, pages };
      task.context.on("page", (page) => pages.opened(page));
      task.gone.catch(() => view.close("browser_gone"));
      options.onRefusedCommit(() => view.tell({ code: "commit_refused" }));
      await task.context.addInitScript(drawSelectsInPage);
      for (const page of there) {
        await page.evaluate(drawSelectsInPage).catch(() => {});
        await view.follow(page);
      }
      return view;
    },
    async close() {
      shown?.view.close("ended");
      await task.close();
      options.leave();
    },
  };
}
