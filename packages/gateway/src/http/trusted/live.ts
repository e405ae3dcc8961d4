import type { ViewInput, ViewMessage } from "@countersign/plugin";
import { parseJson } from "@countersign/wire";
import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type ContinuationRow, findContinuation } from "../../connection/continuations.ts";
import type { Owner } from "../../core.ts";
import { sendProblem } from "../problems.ts";
import type { ServerParts } from "../server.ts";
import { requirePerson } from "./guard.ts";
import { param } from "./trusted.ts";

const TEXT_CHARS_MAX = 4_000;
const KEY_CHARS_MAX = 40;
const PIXELS_MAX = 10_000;
const pixels = z.number().min(-PIXELS_MAX).max(PIXELS_MAX);

const TRIED_ELSEWHERE =
  "This page was also tried in another browser window. If that was not you, somebody has your link: nothing was given to them.";

/** What a page may send; everything else closes nothing and does nothing. */
const input: z.ZodType<ViewInput> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ack"), id: z.int() }),
  z.strictObject({
    type: z.literal("mouse"),
    action: z.enum(["move", "down", "up", "wheel"]),
    x: pixels,
    y: pixels,
    button: z.enum(["left", "right", "middle"]).exactOptional(),
    clicks: z.int().min(0).max(3).exactOptional(),
    deltaX: pixels.exactOptional(),
    deltaY: pixels.exactOptional(),
  }),
  z.strictObject({
    type: z.literal("key"),
    action: z.enum(["down", "up"]),
    key: z.string().min(1).max(KEY_CHARS_MAX),
    code: z.string().max(KEY_CHARS_MAX),
    shift: z.boolean(),
    ctrl: z.boolean(),
    alt: z.boolean(),
    meta: z.boolean(),
  }),
  z.strictObject({ type: z.literal("text"), text: z.string().max(TEXT_CHARS_MAX) }),
  z.strictObject({
    type: z.literal("resize"),
    width: z.int().min(200).max(4_000),
    height: z.int().min(200).max(4_000),
  }),
  z.strictObject({
    type: z.literal("dialog"),
    accept: z.boolean(),
    text: z.string().max(TEXT_CHARS_MAX).exactOptional(),
  }),
  z.strictObject({ type: z.literal("back") }),
]);

/**
 * The live view's socket: pictures out, input in, for the browser session that began the hand-off and for one driver
 * at a time (the newest socket drives; an earlier one is closed). Nothing that passes here is logged or kept.
 */
export function registerLive(app: FastifyInstance, { core, handOffs }: ServerParts): void {
  const drivers = new Map<string, WebSocket>();
  const mine = (person: Owner, ref: string): Promise<ContinuationRow | undefined> =>
    core.store.as({ tenantId: person.tenantId }, () => findContinuation(core.store.db, person, ref));
  app.register(async (scope) => {
    scope.route({
      method: "GET",
      url: "/trusted/v1/continuations/:ref/live",
      preValidation: async (request, reply) => {
        if (request.headers.origin !== core.issuer) return sendProblem(reply, { reason: "forbidden" });
        const person = await requirePerson(core, request);
        if (!person.ok) return sendProblem(reply, person.reason);
        const row = await mine(person.value, param(request, "ref"));
        const active = row === undefined ? undefined : handOffs.active(row, person.value.sessionHash);
        if (row === undefined || active?.mode !== "live") return sendProblem(reply, { reason: "not_found" });
        return undefined;
      },
      handler: (_request, reply) => sendProblem(reply, { reason: "not_found" }),
      wsHandler: (socket, request) => {
        const ref = param(request, "ref");
        void requirePerson(core, request).then(async (person) => {
          const row = person.ok ? await mine(person.value, ref) : undefined;
          const active = person.ok && row !== undefined ? handOffs.active(row, person.value.sessionHash) : undefined;
          if (row === undefined || active?.mode !== "live") return socket.close(1008);
          drivers.get(ref)?.close(4001, "another window took over");
          drivers.set(ref, socket);
          const expire = setTimeout(
            () => socket.close(4002, "the hand-off has expired"),
            Math.max(0, row.expires_at - core.now()),
          );
          const unsubscribe = active.view.subscribe((message) => send(socket, message));
          const forget = handOffs.onTriedElsewhere(ref, () => send(socket, { type: "notice", text: TRIED_ELSEWHERE }));
          socket.on("message", (data: Buffer, isBinary: boolean) => {
            const parsed = isBinary ? undefined : parseJson(data);
            const event = parsed?.ok ? input.safeParse(parsed.value) : undefined;
            if (event?.success && drivers.get(ref) === socket)
              void active.view
                .input(event.data)
                .catch(() => core.log.warn("live.input_failed", { type: event.data.type }));
          });
          socket.on("close", () => {
            clearTimeout(expire);
            unsubscribe();
            forget();
            if (drivers.get(ref) === socket) drivers.delete(ref);
          });
        });
      },
    });
  });
}

function send(socket: WebSocket, message: ViewMessage): void {
  if (socket.readyState !== socket.OPEN) return;
  if (message.type !== "frame") {
    socket.send(JSON.stringify(message));
    return;
  }
  const head = Buffer.from(JSON.stringify({ id: message.id, width: message.width, height: message.height }), "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  socket.send(Buffer.concat([length, head, message.jpeg]), { binary: true });
}
