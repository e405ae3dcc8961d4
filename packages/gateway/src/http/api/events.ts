import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../admission/caller.ts";
import type { GatewayPort } from "../../port.ts";
import { sendProblem } from "../problems.ts";
import type { Slots } from "../slots.ts";

const LOOK_MS = 500;
const STREAM_MS_MAX = 5 * 60_000;
const KEEP_ALIVE_MS = 15_000;
/** An agent that does not read is let go; it resumes where it was. */
const UNREAD_BYTES_MAX = 256 * 1024;

export interface EventStream {
  readonly port: GatewayPort;
  readonly streams: Slots;
  readonly caller: Caller;
  readonly taskId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Aborted once the gateway stops: a stream that stays open would keep it from ending. */
  readonly stopping: AbortSignal;
}

/**
 * A task's numbered events as a stream (SSE). It resumes after `Last-Event-ID` or `?after=`; the rows are the truth and
 * are read again and again, so nothing is lost with a connection, and a dropped one cancels nothing (U14, U16). Each
 * look asks anew whether the token still counts: a revoked agent hears nothing more.
 */
export async function streamEvents(stream: EventStream): Promise<unknown> {
  const { port, streams, caller, taskId, request, reply, stopping } = stream;
  let after = resumePoint(request);
  let batch = await port.events(caller, taskId, after);
  if (!batch.ok) return sendProblem(reply, batch.reason);
  const giveBack = streams.take(caller.clientId);
  if (giveBack === undefined) return sendProblem(reply, { reason: "rate_limited" });
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    connection: "keep-alive",
  });
  let open = !raw.destroyed;
  raw.on("close", () => {
    open = false;
  });
  const until = performance.now() + STREAM_MS_MAX;
  let quietSince = performance.now();
  try {
    while (open && batch.ok && !stopping.aborted) {
      for (const event of batch.value.events) {
        after = Number(event["seq"]);
        raw.write(`id: ${after}\nevent: task\ndata: ${JSON.stringify(event)}\n\n`);
        quietSince = performance.now();
      }
      if (batch.value.done || performance.now() > until || raw.writableLength > UNREAD_BYTES_MAX) break;
      if (performance.now() - quietSince > KEEP_ALIVE_MS) {
        raw.write(": still here\n\n");
        quietSince = performance.now();
      }
      await setTimeout(LOOK_MS, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted || !(await port.authenticate(request.headers.authorization, undefined, "judged")).ok) break;
      batch = await port.events(caller, taskId, after);
    }
  } finally {
    giveBack();
    raw.end();
  }
  return reply;
}

function resumePoint(request: FastifyRequest): number {
  const header = request.headers["last-event-id"];
  const query: unknown = request.query;
  const given =
    typeof header === "string"
      ? header
      : typeof query === "object" && query !== null && "after" in query
        ? String(query.after)
        : "0";
  return /^\d{1,9}$/.test(given) ? Number(given) : 0;
}
