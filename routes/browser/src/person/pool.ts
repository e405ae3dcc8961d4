import type { Log } from "@countersign/plugin";
import { err, ok, type Result } from "@countersign/wire";
import { PersonBrowser, type PersonBrowserOptions } from "./person-browser.ts";

export interface PoolOptions extends PersonBrowserOptions {
  readonly maxSessionsPerPerson: number;
  readonly idleMs: number;
}

/** A place in a person's browser. */
export interface Lease {
  readonly browser: PersonBrowser;
  /** Gives the place back; the last one starts the idle time. */
  leave(): void;
}

interface Entry {
  readonly browser: Promise<PersonBrowser>;
  sessions: number;
  stopIdle: () => void;
}

/** One browser process a person, started when first needed and stopped after an idle time. */
export class BrowserPool {
  readonly #options: PoolOptions;
  readonly #entries = new Map<string, Entry>();
  #stopped = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async enter(person: string, log: Log): Promise<Result<Lease, "busy" | "unavailable">> {
    if (this.#stopped) return err("unavailable");
    const entry = this.#entries.get(person) ?? this.#start(person, log);
    if (entry.sessions >= this.#options.maxSessionsPerPerson) return err("busy");
    entry.sessions++;
    entry.stopIdle();
    const leave = this.#leaver(person, entry);
    try {
      const browser = await entry.browser;
      if (browser.isConnected() && !this.#stopped) return ok({ browser, leave });
    } catch (error) {
      log.error("browser.launch_failed", { why: firstLine(error) });
    }
    leave();
    this.#forget(person, entry);
    return err("unavailable");
  }

  #start(person: string, log: Log): Entry {
    if (this.#options.sandbox === "off") {
      log.warn("browser.SANDBOX_OFF", {
        message: "Chromium runs WITHOUT its sandbox: a hostile page can reach this machine. For demonstrations only.",
      });
    }
    const entry: Entry = { browser: PersonBrowser.launch(this.#options, log), sessions: 0, stopIdle: () => {} };
    this.#entries.set(person, entry);
    entry.browser
      .then((browser) => browser.whenGone())
      .then(
        () => this.#forget(person, entry),
        () => this.#forget(person, entry),
      );
    return entry;
  }

  #leaver(person: string, entry: Entry): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      entry.sessions--;
      if (entry.sessions > 0 || this.#entries.get(person) !== entry) return;
      entry.stopIdle = this.#options.timers.after(this.#options.idleMs, () => {
        if (entry.sessions > 0) return;
        this.#forget(person, entry);
        entry.browser.then((browser) => browser.close()).catch(() => {});
      });
    };
  }

  #forget(person: string, entry: Entry): void {
    entry.stopIdle();
    if (this.#entries.get(person) === entry) this.#entries.delete(person);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const entry of entries) entry.stopIdle();
    await Promise.all(entries.map((entry) => entry.browser.then((browser) => browser.close()).catch(() => {})));
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .split("\n")
    .slice(0, 1)
    .join("")
    .slice(0, 300);
}
