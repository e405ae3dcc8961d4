import type { LiveClientMessage, LiveServerMessage } from "@countersign/gateway/trusted-contract";
import { type Frame, readFrame } from "./frames.ts";

/** Why the view is not here any more. */
export type Lost = "lost" | "taken" | "signedOut" | "ended";

/** The codes with which the gateway closes a socket. */
const CODES: Readonly<Record<number, Lost>> = { 4001: "taken", 4002: "ended", 4003: "signedOut", 4004: "ended" };

export interface LiveEvents {
  /** Draws a picture; it is acknowledged once this is done, so that a slow screen slows the stream. */
  readonly onFrame: (frame: Frame) => Promise<void>;
  readonly onMessage: (message: LiveServerMessage) => void;
  readonly onClosed: (why: Lost) => void;
}

export interface LiveConnection {
  readonly say: (...inputs: readonly LiveClientMessage[]) => void;
  readonly close: () => void;
}

/** The live view's socket: pictures and messages in, input out; nothing that passes is kept. */
export function connectLive(continuationRef: string, events: LiveEvents): LiveConnection {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/trusted/v1/continuations/${continuationRef}/live`);
  socket.binaryType = "arraybuffer";
  let drawing: Promise<void> = Promise.resolve();
  const say = (...inputs: readonly LiveClientMessage[]) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    for (const input of inputs) socket.send(JSON.stringify(input));
  };
  socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
    if (typeof event.data === "string") {
      const message = readMessage(event.data);
      if (message !== undefined) events.onMessage(message);
      return;
    }
    const frame = readFrame(event.data);
    if (frame === undefined) return;
    // One after the other: two pictures decoded at once could be drawn in the wrong order.
    drawing = drawing
      .then(() => events.onFrame(frame))
      .catch(() => {})
      .then(() => say({ type: "ack", id: frame.id }));
  };
  socket.onclose = (event) => events.onClosed(CODES[event.code] ?? "lost");
  return {
    say,
    close: () => {
      socket.onclose = null;
      socket.close();
    },
  };
}

function readMessage(text: string): LiveServerMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && "type" in message
      ? (message as LiveServerMessage)
      : undefined;
  } catch {
    return undefined;
  }
}
