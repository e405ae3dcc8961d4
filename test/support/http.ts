import http from "node:http";
import { isJsonObject, type JsonObject, parseJson } from "@countersign/wire";

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly json: JsonObject;
}

/** A plain client that sends exactly the headers it is given: tests stand where browsers and agents stand. */
export function send(
  origin: string,
  method: string,
  path: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Uint8Array } = {},
): Promise<Reply> {
  const url = new URL(path, origin);
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: "127.0.0.1",
        port: url.port,
        path: url.pathname + url.search,
        method,
        agent: false,
        headers: { host: url.host, ...options.headers },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const text = Buffer.concat(parts).toString("utf8");
          const parsed = parseJson(text, { maxBytes: 8 * 1024 * 1024 });
          const json = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      },
    );
    request.on("error", reject);
    request.end(options.body);
  });
}

const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 250;

/** Asks again until the answer fits; polling is what real clients do. Gives up after `limitMs`. */
export async function until<T>(
  look: () => Promise<T>,
  fits: (value: T) => boolean,
  what: string,
  limitMs = 20_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.3, LAST_PAUSE_MS)) {
    const value = await look();
    if (fits(value)) return value;
    if (performance.now() > end)
      throw new Error(`waited too long for ${what}; last: ${JSON.stringify(value).slice(0, 600)}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
