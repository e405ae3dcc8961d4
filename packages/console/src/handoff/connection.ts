import type { LiveServerMessage } from "@countersign/gateway/trusted-contract";
import type { ViewInput } from "@countersign/plugin";
import { type Frame, readFrame } from "./frames.ts";

/** The gateway closes an earlier window's socket with this code when a newer one takes over. */
const TAKEN_OVER = 4001;

export interface LiveEvents {
  /** Draws a picture; it is acknowledged once this is done, so that a slow screen slows the stream. */
  readonly onFrame: (frame: Frame) => Promise<void>;
  readonly onMessage: (message: LiveServerMessage) => void;
  readonly onOpen: () => void;
  readonly onClosed: (why: "lost" | "taken") => void;
}

export interface LiveConnection {
  readonly say: (...inputs: readonly ViewInput[]) => void;
  readonly close: () => void;
}

/** The live view's socket: pictures and messages in, input out; nothing that passes is kept. */
export function connectLive(continuationRef: string, events: LiveEvents): LiveConnection {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/trusted/v1/continuations/${continuationRef}/live`);
  socket.binaryType = "arraybuffer";
  let drawing: Promise<void> = Promise.resolve();
  const say = (...inputs: readonly ViewInput[]) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    for (const input of inputs) socket.send(JSON.stringify(input));
  };
  socket.onopen = () => events.onOpen();
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
  socket.onclose = (event) => events.onClosed(event.code === TAKEN_OVER ? "taken" : "lost");
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
