import http from "node:http";
import https from "node:https";
import { err, ok, type Result } from "@countersign/wire";
import { ANSWER_BYTES_MAX, SEND_ANSWER_MS, SEND_CONNECT_MS } from "../limits.ts";
import type { Guard } from "./guard.ts";

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** Asked when the connection stands, before the first byte: false sends nothing. */
  readonly mayLeave?: () => boolean;
}

export interface Incoming {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** `not_sent`: no byte of the request can have left. `lost`: some may have, and no whole answer came back. */
export type WireProblem = "not_sent" | "lost";

const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "content-length",
  "host",
]);

/**
 * One request on a fresh connection to a pinned address: no agent, no redirect, no retry. The bytes are written only
 * after the connection (and TLS) stands, so a failure before that is certain to have sent nothing.
 */
export async function sendOnWire(guard: Guard, outgoing: Outgoing): Promise<Result<Incoming, WireProblem>> {
  const { url } = outgoing;
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const pinned = await guard.pin({ hostname: url.hostname, port, origin: url.origin });
  if (!pinned.ok) return err("not_sent");
  const { address, family } = pinned.value;
  return new Promise((resolve) => {
    let mayHaveLeft = false;
    const settle = (answer: Result<Incoming, WireProblem>) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const fail = () => {
      request.destroy();
      settle(err(mayHaveLeft ? "lost" : "not_sent"));
    };
    let timer = setTimeout(fail, SEND_CONNECT_MS);
    const client = url.protocol === "https:" ? https : http;
    const request = client.request(url, {
      method: outgoing.method,
      agent: false,
      setDefaultHeaders: false,
      headers: flatHeaders(outgoing),
      lookup: (_host, options, done) => {
        if (options.all === true) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    });
    request.on("error", fail);
    request.on("socket", (socket) => {
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
        clearTimeout(timer);
        if (outgoing.mayLeave?.() === false) return fail();
        timer = setTimeout(fail, SEND_ANSWER_MS);
        mayHaveLeft = true;
        request.end(outgoing.body);
      });
    });
    request.on("response", (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > ANSWER_BYTES_MAX) fail();
        else parts.push(part);
      });
      response.on("error", fail);
      response.on("aborted", fail);
      response.on("end", () => {
        if (!response.complete) fail();
        else
          settle(
            ok({ status: response.statusCode ?? 0, headers: pairs(response.rawHeaders), body: Buffer.concat(parts) }),
          );
      });
    });
  });
}

function flatHeaders(outgoing: Outgoing): string[] {
  const kept = outgoing.headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
  const all: (readonly [string, string])[] = [["host", outgoing.url.host], ...kept, ["connection", "close"]];
  const bodiless = outgoing.body.length === 0 && (outgoing.method === "GET" || outgoing.method === "HEAD");
  if (!bodiless) all.push(["content-length", String(outgoing.body.length)]);
  return all.flat();
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) found.push([raw[i] ?? "", raw[i + 1] ?? ""]);
  return found;
}
