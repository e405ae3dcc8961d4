import type { Page } from "playwright-core";
import type { TaskContext } from "../person/person-browser.ts";
import type { PageView } from "./live-view.ts";

/** Pages the gateway opens to look at the site are not the person's, and are not shown. */
export class OwnPages {
  readonly #task: TaskContext;
  readonly #view: PageView;
  readonly #own = new Set<Page>();
  /** Pages that appeared while one of ours was being opened: whose they are is known afterwards. */
  #undecided: Page[] = [];
  #opening = 0;

  constructor(task: TaskContext, view: PageView) {
    this.#task = task;
    this.#view = view;
  }

  opened(page: Page): void {
    if (this.#opening > 0) this.#undecided.push(page);
    else void this.#view.follow(page);
  }

  async open(): Promise<Page> {
    this.#opening++;
    try {
      const page = await this.#task.context.newPage();
      this.#own.add(page);
      return page;
    } finally {
      this.#opening--;
      if (this.#opening === 0) {
        for (const page of this.#undecided) if (!this.#own.has(page)) void this.#view.follow(page);
        this.#undecided = [];
      }
    }
  }

  async closeOwn(): Promise<void> {
    const pages = [...this.#own];
    this.#own.clear();
    await Promise.all(pages.map((page) => page.close().catch(() => {})));
  }
}
