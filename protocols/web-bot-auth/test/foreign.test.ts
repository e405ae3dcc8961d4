import { createPublicKey, verify } from "node:crypto";
import { generateSigningKey, serveDirectory } from "@countersign/web-bot-auth";
import { httpbis } from "http-message-signatures";
import { expect, it } from "vitest";
import { GET, POST, world } from "./support/world.ts";

// What we sign is read by an implementation that shares no code with ours or with the library under it.

async function foreign(
  message: { readonly method: string; readonly url: string; readonly headers: Iterable<readonly [string, string]> },
  key: { readonly keyId: string; readonly publicJwk: object },
) {
  const publicKey = createPublicKey({ key: { ...key.publicJwk }, format: "jwk" });
  return httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) =>
        keyid === key.keyId
          ? {
              id: keyid,
              algs: ["ed25519"],
              verify: async (data, signature) => verify(null, data, publicKey, signature),
            }
          : null,
      requiredFields: ["@authority"],
      requiredParams: ["keyid", "tag", "expires"],
      tolerance: Number.MAX_SAFE_INTEGER / 1e6,
    },
    { method: message.method, url: message.url, headers: Object.fromEntries(message.headers) },
  );
}

it("PLG-7 a foreign implementation verifies our requests, and refuses them when they were changed", async () => {
  const here = await world({ now: Date.now });
  for (const request of [GET, POST]) {
    const signed = await here.sign(request, { now: Date.now });
    expect(await foreign(signed, here.key)).toBe(true);
    expect(await foreign({ ...signed, url: signed.url.replace("shop", "other") }, here.key)).toBe(false);
    expect(await foreign({ ...signed, method: "PUT" }, here.key)).toBe(false);
  }
});

it("PLG-7 a foreign implementation verifies our directory's own signature", async () => {
  const { key } = await generateSigningKey();
  const url = "https://agent.example/.well-known/http-message-signatures-directory";
  const answer = await serveDirectory(new Request(url), { keys: [key] });
  const publicKey = createPublicKey({ key: { ...key.publicJwk }, format: "jwk" });
  const verified = await httpbis.verifyMessage(
    { keyLookup: async () => ({ verify: async (data, signature) => verify(null, data, publicKey, signature) }) },
    { status: 200, headers: Object.fromEntries(answer.headers) },
    { method: "GET", url, headers: {} },
  );
  expect(verified).toBe(true);
});
