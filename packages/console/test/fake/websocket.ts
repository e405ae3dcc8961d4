import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** RFC 6455 section 1.3. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;

/** As much of a WebSocket server as the tests of the live view need: whole messages, small ones, one connection. */
export interface TestSocket {
  readonly sendText: (text: string) => void;
  readonly sendBinary: (bytes: Buffer) => void;
  readonly close: (code: number) => void;
}

export function acceptWebSocket(request: IncomingMessage, socket: Duplex, onText: (text: string) => void): TestSocket {
  const accept = createHash("sha1")
    .update(`${request.headers["sec-websocket-key"] ?? ""}${GUID}`)
    .digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let waiting = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (let message = takeMessage(waiting); message !== undefined; message = takeMessage(waiting)) {
      waiting = Buffer.from(waiting.subarray(message.bytes));
      if (message.opcode === TEXT) onText(message.text);
      if (message.opcode === CLOSE) socket.end();
    }
  });
  socket.on("error", () => {});
  const send = (opcode: number, payload: Buffer) => {
    if (socket.writable) socket.write(Buffer.concat([headOf(opcode, payload.length), payload]));
  };
  return {
    sendText: (text) => send(TEXT, Buffer.from(text)),
    sendBinary: (bytes) => send(BINARY, bytes),
    close: (code) => {
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(code);
      send(CLOSE, payload);
      socket.end();
    },
  };
}

function headOf(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | opcode, length]);
  if (length < 65_536) {
    const head = Buffer.from([0x80 | opcode, 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head[0] = 0x80 | opcode;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** One whole masked message from the front; undefined while it is not all there. */
function takeMessage(
  data: Buffer,
): { readonly opcode: number; readonly text: string; readonly bytes: number } | undefined {
  if (data.length < 6) return undefined;
  const short = (data[1] ?? 0) & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extended + 4;
  if (data.length < start) return undefined;
  const length = extended === 0 ? short : extended === 2 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2));
  if (data.length < start + length) return undefined;
  const mask = data.subarray(start - 4, start);
  const payload = Buffer.from(data.subarray(start, start + length)).map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return { opcode: (data[0] ?? 0) & 0x0f, text: Buffer.from(payload).toString("utf8"), bytes: start + length };
}
