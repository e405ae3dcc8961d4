import type { Ctx, LiveView, Log, OpenSession } from "@countersign/plugin";
import { LEASE_RENEW_MS } from "../limits.ts";

/** A session whose page waits for the person, kept open by this process (MFA-6). It is lost with the process. */
export interface WaitingPage {
  readonly ctx: Ctx;
  readonly open: OpenSession;
  readonly view: LiveView;
}

/** The pages that this process keeps, by the continuation that leads the person to them. */
export interface WaitingPages {
  /** @param sayAlive called in good time before others would take the page for lost. */
  keep(continuationRef: string, page: WaitingPage, sayAlive: () => Promise<void>): void;
  get(continuationRef: string): WaitingPage | undefined;
  refs(): readonly string[];
  /** Closes the page's session; does nothing for one that is not kept here. */
  close(continuationRef: string): Promise<void>;
}

export function createWaitingPages(log: Log): WaitingPages {
  const kept = new Map<string, { readonly page: WaitingPage; readonly timer: NodeJS.Timeout }>();
  return {
    keep(ref, page, sayAlive) {
      const say = () => void sayAlive().catch(() => log.warn("verification.not_said"));
      kept.set(ref, { page, timer: setInterval(say, LEASE_RENEW_MS).unref() });
    },
    get: (ref) => kept.get(ref)?.page,
    refs: () => [...kept.keys()],
    async close(ref) {
      const found = kept.get(ref);
      kept.delete(ref);
      clearInterval(found?.timer);
      await found?.page.open.close().catch(() => log.warn("verification.close_failed"));
    },
  };
}
