import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createVerifier,
  DIRECTORY_MEDIA_TYPE,
  DIRECTORY_PATH,
  directoryKeys,
  httpRequestOf,
  type PublicJwk,
  readPublicKey,
  verifiedOf,
} from "@countersign/web-bot-auth";
import { build } from "vite";
import { type Handler, serve } from "../serve.ts";

// EX-10, the browser half: the agent's site, which has the page and the directory of its key, and the shop that it calls.

export interface BrowserExample {
  /** Where the page is. */
  readonly url: string;
  close(): Promise<void>;
}

/** One for each browser that opened the page. */
const KEYS_MAX = 8;
const file = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

export async function openBrowserExample(): Promise<BrowserExample> {
  const script = await bundle();
  const shop = await serve(shopOf());
  const agent = await serve(agentOf(script, shop.origin));
  return {
    url: `${agent.origin}/`,
    close: async () => {
      await Promise.all([agent.close(), shop.close()]);
    },
  };
}

/** Serves the page, and lists the key that the page made. Nothing private ever comes here. */
function agentOf(script: string, shop: string): Handler {
  const csp = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ${shop}; base-uri 'none'`;
  const answer = (type: string, text: string) =>
    new Response(text, { headers: { "content-type": type, "content-security-policy": csp } });
  let listed: readonly PublicJwk[] = [];
  return async (request, body) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return answer("text/html", file("page.html"));
    if (pathname === "/page.css") return answer("text/css", file("page.css"));
    if (pathname === "/page.js") return answer("text/javascript", script);
    if (pathname === "/settings.json") return Response.json({ shop });
    if (pathname === DIRECTORY_PATH)
      return new Response(JSON.stringify({ keys: listed }), { headers: { "content-type": DIRECTORY_MEDIA_TYPE } });
    if (pathname !== "/keys" || request.method !== "POST") return new Response("Not here.", { status: 404 });
    const key = await readPublicKey(JSON.parse(new TextDecoder().decode(body)));
    if (!key.ok) return new Response(key.reason, { status: 400 });
    const { jwk } = key.value;
    listed = [jwk, ...listed.filter((one) => JSON.stringify(one) !== JSON.stringify(jwk))].slice(0, KEYS_MAX);
    return new Response("Listed.", { status: 201 });
  };
}

/** Lets nobody in unsigned, and says who called. Pages of other sites may call it: that takes CORS, as for any API. */
function shopOf(): Handler {
  const verifier = createVerifier({
    // A shop on the Internet gives a fetch that refuses private addresses.
    keys: directoryKeys({ fetch, plainHttp: "loopback" }),
    plainHttp: "loopback",
  });
  const cors = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "content-digest, content-type, signature, signature-agent, signature-input",
  };
  return async (request, body) => {
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: cors });
    const [who] = verifiedOf(await verifier.verify(httpRequestOf(request, body)));
    const enough = who !== undefined && (request.method === "GET" || who.body === "covered");
    if (!enough) return new Response("Who are you?", { status: 401, headers: cors });
    const status = request.method === "GET" ? 200 : 201;
    const what = status === 200 ? "Tea, 4.20." : "Ordered.";
    return new Response(`${what} You are ${who.identifier}`, { status, headers: cors });
  };
}

async function bundle(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), "signed-page-"));
  try {
    await build({
      configFile: false,
      logLevel: "silent",
      root: import.meta.dirname,
      build: {
        outDir: out,
        emptyOutDir: true,
        target: "es2024",
        rollupOptions: {
          input: join(import.meta.dirname, "page.ts"),
          output: { format: "es", entryFileNames: "page.js" },
        },
      },
    });
    return readFileSync(join(out, "page.js"), "utf8");
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
