import { createHmac, timingSafeEqual } from "node:crypto";
import http from "node:http";
import { assert } from "@countersign/wire";

export interface Delivered {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  readonly headers: http.IncomingHttpHeaders;
}

export interface Receiver {
  readonly url: string;
  readonly origin: string;
  readonly delivered: Delivered[];
  /** The status of the next answers, with more headers. */
  answer: { status: number; headers?: Record<string, string> };
  onDelivered: (() => Promise<void>) | undefined;
  close(): Promise<void>;
}

/** Somebody's receiver of webhooks. */
export async function openReceiver(): Promise<Receiver> {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { headers } = request;
      made.delivered.push({
        id: String(headers["webhook-id"]),
        timestamp: String(headers["webhook-timestamp"]),
        signature: String(headers["webhook-signature"]),
        body: Buffer.concat(parts).toString("utf8"),
        headers,
      });
      void (made.onDelivered?.() ?? Promise.resolve()).then(() => {
        response.writeHead(made.answer.status, made.answer.headers).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const origin = `http://localhost:${address.port}`;
  const made: Receiver = {
    url: `${origin}/hooks/countersign`,
    origin,
    delivered: [],
    answer: { status: 204 },
    onDelivered: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return made;
}

/** As the Standard Webhooks specification tells a receiver to check, by its own reading of it. */
export function verifies(secretText: string, got: Delivered, nowSeconds: number): boolean {
  const key = Buffer.from(secretText.slice("whsec_".length), "base64");
  if (Math.abs(nowSeconds - Number(got.timestamp)) > 300) return false;
  const wanted = createHmac("sha256", key).update(`${got.id}.${got.timestamp}.${got.body}`).digest();
  return got.signature.split(" ").some((one) => {
    const [version, mac = ""] = one.split(",");
    const bytes = Buffer.from(mac, "base64");
    return version === "v1" && bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
  });
}
