import { createServer } from "node:http";
import { build, callerPoint, corePlugin, gatewayPlugin } from "@countersign/plugin";
import {
  generateSigningKey,
  type SigningKey,
  type SignOptions,
  serveDirectory,
  signatureHeaders,
  signRequest,
} from "@countersign/web-bot-auth";
import { WEB_BOT_AUTH, webBotAuth } from "@countersign/web-bot-auth/plugin";
import { assert } from "@countersign/wire";
import { type Reply, send } from "./http.ts";

/** What judges callers at a gateway of this machine, as the settings put it together. */
export function callerIdentities() {
  const { plugin } = webBotAuth({ callers: { plainHttp: "loopback" } });
  const built = build([corePlugin, gatewayPlugin, plugin], { trusted: [WEB_BOT_AUTH] });
  assert(built.ok, "the set builds");
  return built.kernel.scope(gatewayPlugin.manifest.id).get(callerPoint);
}

export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An operator of agents on this machine: a key, and the directory that publishes it. */
export interface Operator {
  readonly key: SigningKey;
  /** The URL that what it signs is attributed to. */
  readonly identifier: string;
  /** How often somebody has asked for the directory. */
  asked(): number;
  /** Signs a request to `origin`, which is where it says that it is going. */
  sign(origin: string, request: Unsigned, options?: Partial<SignOptions>): Promise<SignedRequest>;
  /** Signs whatever a client sends. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

export interface Unsigned {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export async function openOperator(): Promise<Operator> {
  const { key } = await generateSigningKey();
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const url = `http://${request.headers.host ?? ""}${request.url ?? ""}`;
    void serveDirectory(new Request(url), { keys: [key] }).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const agent = `http://127.0.0.1:${address.port}`;
  return {
    key,
    identifier: `${agent}/.well-known/http-message-signatures-directory`,
    asked: () => asked,
    async sign(origin, { method = "GET", path, headers = {}, body = "" }, options = {}) {
      const added = await signatureHeaders(
        { method, url: `${origin}${path}`, headers: Object.entries(headers), body: new TextEncoder().encode(body) },
        { key, agent: { type: "directory", origin: agent }, plainHttp: "loopback", ...options },
      );
      assert(added.ok, "it is signed");
      return { method, path, headers: { ...headers, ...Object.fromEntries(added.value) }, body };
    },
    async fetch(input, init) {
      const signed = await signRequest(new Request(input, init), {
        key,
        agent: { type: "directory", origin: agent },
        plainHttp: "loopback",
      });
      assert(signed.ok, "it is signed");
      return fetch(signed.value);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends it as it was signed, to whomever: `headers` are set over those that it has. */
export function sendSigned(
  origin: string,
  { method, path, headers, body }: SignedRequest,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<Reply> {
  const content = more.body ?? body;
  return send(origin, method, path, {
    headers: { ...headers, ...more.headers },
    ...(content === "" ? {} : { body: content }),
  });
}
