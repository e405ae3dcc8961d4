import type { Log } from "@countersign/plugin";
import type { JsonObject } from "@countersign/wire";
import { KEEP_ALIVE_MS } from "../limits.ts";
import type { StreamResponses } from "./stream.ts";

/**
 * Server-sent events, one a response. Whoever goes away ends the stream and nothing else; whatever is thrown on the way
 * ends it too, and none of its text is told (a2a.md §9, row 5).
 */
export function sse(
  responses: StreamResponses,
  write: (response: JsonObject) => JsonObject,
  more: { readonly headers: Readonly<Record<string, string>>; readonly log: Log },
): Response {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": here\n\n"));
      }, KEEP_ALIVE_MS).unref();
    },
    async pull(controller) {
      try {
        const next = await responses.next();
        if (next.done !== true) {
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(write(next.value))}\n\n`));
          return;
        }
      } catch (error) {
        more.log.error("a2a.stream_failed", { kind: error instanceof Error ? error.name : "unknown" });
      }
      clearInterval(timer);
      controller.close();
    },
    async cancel() {
      clearInterval(timer);
      await responses.return();
    },
  });
  return new Response(body, {
    headers: {
      ...more.headers,
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}
