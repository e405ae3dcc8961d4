import type { Log } from "@countersign/plugin";
import { Client, type Pool, type PoolConfig } from "pg";
import { LISTEN_AGAIN_MS } from "./limits.ts";

const CHANNEL = "countersign_due";

export interface Hints {
  /** Tells the other processes that a due time may have moved. */
  send(): void;
  /** Hears them, until closed. */
  listen(heard: () => void): void;
  close(): Promise<void>;
}

/**
 * "Look now", between the processes of one database. A hint that is lost, doubled or late changes nothing: the rows
 * decide, and every worker looks at them once a second anyway. So nothing here ever fails anybody's work.
 */
export function createHints(deps: {
  readonly pool: Pool;
  readonly config: PoolConfig;
  readonly self: string;
  readonly log: Log | undefined;
}): Hints {
  const { pool, config, self, log } = deps;
  let sending = false;
  let sendAgain = false;
  let closed = false;
  let client: Client | undefined;
  let retry: NodeJS.Timeout | undefined;

  const send = (): void => {
    if (closed) return;
    if (sending) {
      sendAgain = true;
      return;
    }
    sending = true;
    pool
      .query("select pg_notify($1, $2)", [CHANNEL, self])
      .catch(() => log?.debug("store.hint_not_sent"))
      .finally(() => {
        sending = false;
        if (!sendAgain) return;
        sendAgain = false;
        send();
      });
  };

  const listen = (heard: () => void): void => {
    if (closed) return;
    const listener = new Client(config);
    client = listener;
    const lost = (): void => {
      if (closed || client !== listener) return;
      client = undefined;
      log?.warn("store.listener_lost");
      listener.end().catch(() => {});
      retry = setTimeout(() => listen(heard), LISTEN_AGAIN_MS);
    };
    listener.on("error", lost);
    listener.on("end", lost);
    // Its own hints a process has followed already.
    listener.on("notification", ({ payload }) => {
      if (payload !== self) heard();
    });
    listener
      .connect()
      .then(() => listener.query(`listen ${CHANNEL}`))
      // What was said while nobody listened.
      .then(heard)
      .catch(lost);
  };

  return {
    send,
    listen,
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
