import type { LiveView, ViewMessage } from "@countersign/plugin";
import { err, ok, parseJson, type Result } from "@countersign/wire";
import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Refusal } from "../../admission/refusal.ts";
import { type ContinuationRow, findContinuation } from "../../connection/continuations.ts";
import { LIVE_ALL_MAX, SESSION_LIVE_MAX } from "../../limits.ts";
import { watchSession } from "../../people/sessions.ts";
import type { LiveClientMessage, LiveServerMessage } from "../../trusted/contract.ts";
import { sendProblem } from "../problems.ts";
import type { ServerParts } from "../server.ts";
import { Slots } from "../slots.ts";
import { requirePerson } from "./guard.ts";
import { LiveRoom } from "./live-room.ts";
import { param } from "./trusted.ts";

const TEXT_CHARS_MAX = 4_000;
const KEY_CHARS_MAX = 40;
const PIXELS_MAX = 10_000;
const pixels = z.number().min(-PIXELS_MAX).max(PIXELS_MAX);

/** Why a socket was closed by the gateway. */
const CLOSED = { taken: 4001, expired: 4002, signedOut: 4003, ended: 4004 } as const;
/** A window that does not answer a ping in this time is gone: a phone that changed its network never says so. */
const PING_MS = 10_000;

/** What a page may send; everything else closes nothing and does nothing. */
const input: z.ZodType<LiveClientMessage> = z.discriminatedUnion("type", [
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
  z.strictObject({ type: z.literal("compose"), text: z.string().max(TEXT_CHARS_MAX) }),
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
  z.strictObject({ type: z.literal("reload") }),
  z.strictObject({ type: z.literal("tab"), id: z.int().min(1), action: z.enum(["show", "close"]) }),
  z.strictObject({ type: z.literal("take") }),
]);

/**
 * The live view's socket: pictures out, input in, for the windows of the browser session that began the hand-off. One of
 * them drives (see {@link LiveRoom}). It ends with the session, at once in this gateway and within a second when another
 * one ended it. Nothing that passes here is logged or kept.
 */
export function registerLive(app: FastifyInstance, { core, handOffs }: ServerParts): void {
  const slots = new Slots({ each: SESSION_LIVE_MAX, all: LIVE_ALL_MAX });
  const rooms = new Map<string, Open>();
  const roomOf = (ref: string, view: LiveView): Open => {
    const known = rooms.get(ref);
    if (known?.view === view) return known;
    const room = new LiveRoom(view, (type) => core.log.warn("live.input_failed", { type }));
    const open = { view, room, sockets: new Set<WebSocket>() };
    rooms.set(ref, open);
    return open;
  };
  const find = async (request: FastifyRequest): Promise<Result<Found, Refusal>> => {
    if (request.headers.origin !== core.issuer) return err({ reason: "forbidden" });
    const person = await requirePerson(core, request);
    if (!person.ok) return person;
    const { tenantId, sessionHash } = person.value;
    const ref = param(request, "ref");
    const row = await core.store.as({ tenantId }, () => findContinuation(core.store.db, person.value, ref));
    const active = row === undefined ? undefined : handOffs.active(row, sessionHash);
    if (row === undefined || active?.mode !== "live") return err({ reason: "not_found" });
    return ok({ row, view: active.view, sessionHash });
  };
  const enter = (socket: WebSocket, { row, view, sessionHash }: Found): void => {
    const ref = row.continuation_ref;
    const giveBack = slots.take(sessionHash);
    if (giveBack === undefined) {
      socket.close(CLOSED.taken, "too many windows");
      return;
    }
    socket.once("close", giveBack);
    const open = roomOf(ref, view);
    const { room, sockets } = open;
    sockets.add(socket);
    const seat = room.join({
      say: (message) => say(socket, message),
      show: (picture) => show(socket, picture),
      end: () => socket.close(CLOSED.ended, "the view has ended"),
    });
    const expire = setTimeout(() => socket.close(CLOSED.expired, "expired"), Math.max(0, row.expires_at - core.now()));
    const unwatch = watchSession(core, sessionHash, () => {
      for (const each of sockets) each.close(CLOSED.signedOut, "signed out");
      void handOffs.endSession(sessionHash);
    });
    const forget = handOffs.onTriedElsewhere(ref, () => say(socket, { type: "notice", code: "tried_elsewhere" }));
    const stopPings = ping(socket);
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      // A socket that is being closed hears nothing any more, whatever is still under way to it.
      if (socket.readyState !== socket.OPEN) return;
      const parsed = isBinary ? undefined : parseJson(data);
      const message = parsed?.ok ? input.safeParse(parsed.value) : undefined;
      if (message?.success) seat.hear(message.data);
    });
    socket.on("close", () => {
      clearTimeout(expire);
      unwatch();
      forget();
      stopPings();
      seat.leave();
      sockets.delete(socket);
      if (sockets.size === 0 && rooms.get(ref) === open) rooms.delete(ref);
    });
  };
  app.register(async (scope) => {
    scope.route({
      method: "GET",
      url: "/trusted/v1/continuations/:ref/live",
      preValidation: async (request, reply) => {
        const found = await find(request);
        return found.ok ? undefined : sendProblem(reply, found.reason);
      },
      handler: (_request, reply) => sendProblem(reply, { reason: "not_found" }),
      wsHandler: (socket, request) => {
        void find(request).then(
          (found) => (found.ok ? enter(socket, found.value) : socket.close(1008)),
          () => socket.close(1011),
        );
      },
    });
  });
}

/** All windows of a room are of one session: nobody else gets in. */
interface Open {
  readonly view: LiveView;
  readonly room: LiveRoom;
  readonly sockets: Set<WebSocket>;
}

interface Found {
  readonly row: ContinuationRow;
  readonly view: LiveView;
  readonly sessionHash: string;
}

function ping(socket: WebSocket): () => void {
  let answered = true;
  socket.on("pong", () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, PING_MS).unref();
  return () => clearInterval(timer);
}

function say(socket: WebSocket, message: LiveServerMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

function show(socket: WebSocket, picture: Extract<ViewMessage, { type: "frame" }>): void {
  if (socket.readyState !== socket.OPEN) return;
  const { id, width, height } = picture;
  const head = Buffer.from(JSON.stringify({ id, width, height }), "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  socket.send(Buffer.concat([length, head, picture.jpeg]), { binary: true });
}
