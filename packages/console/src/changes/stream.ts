import type { ChangeKind, ChangesView } from "@countersign/gateway/trusted-contract";

/** After a refusal (the gateway is away, or has no more room for this session) the page polls, and asks again later. */
const AGAIN_MS = 30_000;

export interface ChangeEvents {
  /** It listens from now on; what changed before is not told. */
  readonly live: () => void;
  readonly changed: (kinds: readonly ChangeKind[]) => void;
  /** The session is over. */
  readonly ended: () => void;
  /** Nothing is heard until `live` again. */
  readonly lost: () => void;
}

/**
 * One stream for the whole page, open only while somebody looks at it: a page in the background costs the gateway
 * nothing, and reads everything again when it comes back.
 * @returns how to close it.
 */
export function openChanges(events: ChangeEvents): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = undefined;
  };

  const open = () => {
    if (source !== undefined || document.visibilityState !== "visible") return;
    clearTimeout(retry);
    const own = new EventSource("/trusted/v1/changes");
    source = own;
    own.addEventListener("hello", events.live);
    own.addEventListener("changed", (event) => events.changed(kindsIn(event)));
    own.addEventListener("ended", () => {
      close();
      events.lost();
      events.ended();
    });
    own.addEventListener("error", () => {
      events.lost();
      // A dropped connection is opened again by the browser; a refusal ends the source.
      if (own.readyState !== EventSource.CLOSED || source !== own) return;
      close();
      retry = setTimeout(open, AGAIN_MS);
    });
  };

  const shown = () => {
    if (document.visibilityState === "visible") return open();
    close();
    events.lost();
  };

  document.addEventListener("visibilitychange", shown);
  open();
  return () => {
    document.removeEventListener("visibilitychange", shown);
    close();
  };
}

function kindsIn(event: MessageEvent<string>): readonly ChangeKind[] {
  const view = JSON.parse(event.data) as ChangesView;
  return view.kinds;
}
