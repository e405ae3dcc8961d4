import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { CHANGES_HEARTBEAT_MS, CHANGES_LIFE_MS } from "../../limits.ts";
import type { ChangeKind } from "../../trusted/change-kinds.ts";
import { sendProblem } from "../problems.ts";
import type { ServerParts } from "../server.ts";
import { requirePerson } from "./guard.ts";

/** A page that does not read what it is told is let go; it polls. */
const UNREAD_BYTES_MAX = 16 * 1024;
const RETRY_MS = 2_000;

/**
 * A stream that says of which kinds of the person's things something changed, and nothing about them (SSE). `hello` once
 * it listens: what changed before that is not told, so the page reads everything then. `ended` when the session is over.
 * It ends with the session at the latest, and no session has more than a few.
 */
export function registerChanges(app: FastifyInstance, { core, changes }: ServerParts): void {
  const open = new Set<ServerResponse>();
  app.addHook("preClose", async () => {
    for (const raw of open) raw.end();
  });
  app.route({
    method: "GET",
    url: "/trusted/v1/changes",
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      reply.header("cache-control", "no-store");
      const person = await requirePerson(core, request);
      if (!person.ok) return sendProblem(reply, person.reason);
      const { raw } = reply;
      const say = (text: string): void => {
        if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
        else if (!raw.writableEnded) raw.write(text);
      };
      let ready = false;
      let over = false;
      const stop = await changes.listen(person.value, {
        changed: (kinds: ReadonlySet<ChangeKind>) => ready && say(message("changed", { kinds: [...kinds] })),
        ended: () => {
          over = true;
          if (!ready) return;
          say(message("ended", {}));
          raw.end();
        },
      });
      if (stop === "too_many") return sendProblem(reply, { reason: "rate_limited" });
      // It ended while it was being opened.
      if (over) return sendProblem(reply, { reason: "unauthenticated" });
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value);
      reply.hijack();
      raw.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", connection: "keep-alive" });
      open.add(raw);
      ready = true;
      say(`retry: ${RETRY_MS}\n${message("hello", {})}`);
      const heartbeat = setInterval(() => say(": still here\n\n"), CHANGES_HEARTBEAT_MS);
      const left = Math.max(0, person.value.expiresAt - core.now());
      const life = setTimeout(() => raw.end(), Math.min(left, CHANGES_LIFE_MS));
      raw.once("close", () => {
        clearInterval(heartbeat);
        clearTimeout(life);
        open.delete(raw);
        stop();
      });
      if (raw.destroyed) raw.emit("close");
      return reply;
    },
  });
}

function message(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
