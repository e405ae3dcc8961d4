import { EventStreamParser } from "./event-stream.ts";
import type { Http } from "./http.ts";
import { STREAM_QUIET_MS } from "./limits.ts";

/**
 * A task's event stream as a hint that there is something to read. It remembers the last number it heard, so that the
 * next stream goes on after it; what is true is read from the task.
 */
export interface News {
  /** `moved`: read the task. `ended`: no stream, or no more of it. */
  next(signal: AbortSignal): Promise<"moved" | "ended">;
  close(): void;
}

export function openNews(http: Http, path: string): News {
  let after = 0;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let parser = new EventStreamParser();
  let decoder = new TextDecoder();

  const close = (): void => {
    reader?.cancel().catch(() => {});
    reader = undefined;
  };
  const ended = (): "ended" => {
    close();
    return "ended";
  };

  return {
    close,
    async next(signal) {
      if (reader === undefined) {
        const opened = await http.stream(path, after, signal);
        if (!opened.ok) return "ended";
        reader = opened.value.getReader();
        parser = new EventStreamParser();
        decoder = new TextDecoder();
      }
      for (;;) {
        const chunk = await quietly(reader, signal);
        if (chunk === undefined) return ended();
        const messages = parser.take(decoder.decode(chunk, { stream: true }));
        if (messages === undefined) return ended();
        for (const { id } of messages) if (/^\d{1,9}$/.test(id)) after = Number(id);
        if (messages.length > 0) return "moved";
      }
    },
  };
}

/** The next piece; undefined at the end, when the connection breaks, and when nothing comes for too long. */
async function quietly(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const over = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    timer = setTimeout(stop, STREAM_QUIET_MS);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([
      over,
      reader.read().then(
        ({ value }) => value,
        () => undefined,
      ),
    ]);
  } finally {
    clearTimeout(timer);
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
