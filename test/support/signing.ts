import { createEgress, fromKernel, type GatewayOptions } from "@countersign/gateway";
import { buildProtocols, gatewayPlugin, type IdentitySigner } from "@countersign/plugin";
import { DIRECTORY_PATH } from "@countersign/web-bot-auth";
import { WEB_BOT_AUTH } from "@countersign/web-bot-auth/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import { agentProtocols, trustedWithIdentity } from "../../packages/countersign/src/setup/agent-protocols.ts";
import { identitySchema, readIdentity } from "../../packages/countersign/src/setup/identity-settings.ts";
import type { Signed } from "./foreign-signature.ts";
import { send } from "./http.ts";
import { freePort } from "./world.ts";

export interface Signing {
  readonly options: Required<Pick<GatewayOptions, "identities" | "http" | "egress">> & { readonly issuer: string };
  /** Who signs, by id; a test may add one. */
  readonly identities: Map<string, IdentitySigner>;
  /** What left for this machine, as it left. */
  readonly left: Signed[];
}

/** The settings' own way to a gateway that signs what leaves, with a record of what left. */
export async function signing(): Promise<Signing> {
  const issuer = `http://localhost:${await freePort()}`;
  const setup = readIdentity(identitySchema.parse({ sign: "on" }), { issuer, destinations: [] });
  assert(setup.ok && setup.value !== undefined, "signing is on");
  const built = buildProtocols([gatewayPlugin, agentProtocols(undefined, { identity: setup.value })], {
    trusted: trustedWithIdentity({ identity: setup.value }),
  });
  assert(built.ok, "the set builds");
  const seams = fromKernel(built.kernel);
  const identities = new Map(seams.identities ?? []);
  const left: Signed[] = [];
  const http = (seams.http ?? []).filter(({ plugin }) => plugin === WEB_BOT_AUTH);
  return { options: { issuer, identities, http, egress: recordedIn(left) }, identities, left };
}

function recordedIn(left: Signed[]): NonNullable<GatewayOptions["egress"]> {
  return (guard) => {
    const real = createEgress(guard);
    return {
      ...real,
      async fetch(request) {
        const body = new Uint8Array(await request.clone().arrayBuffer());
        if (request.url.startsWith("http://127.0.0.1:"))
          left.push({ method: request.method, url: request.url, headers: [...request.headers], body });
        return real.fetch(request);
      },
      async sendOnce(held, mayLeave) {
        const headers = held.headers.map(([name, value]) => [name, value.reveal()] as const);
        left.push({ method: held.method, url: held.url, headers, body: held.body.reveal() });
        return real.sendOnce(held, mayLeave);
      },
    };
  };
}

/** The keys that a gateway publishes, by their ids, and the answer that they came in. */
export async function publishedKeys(issuer: string): Promise<{
  readonly reply: Awaited<ReturnType<typeof send>>;
  readonly keys: Map<string, object>;
}> {
  const reply = await send(issuer, "GET", DIRECTORY_PATH);
  const keys = reply.json["keys"] as readonly JsonObject[];
  return { reply, keys: new Map(keys.map((key) => [String(key["kid"]), key])) };
}
