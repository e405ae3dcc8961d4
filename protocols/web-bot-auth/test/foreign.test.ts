import { createPublicKey, verify } from "node:crypto";
import { generateSigningKey, type HttpRequest, mayActOn, serveDirectory } from "@countersign/web-bot-auth";
import { contentDigest } from "@countersign/web-bot-auth/signatures";
import { assert } from "@countersign/wire";
import { httpbis } from "http-message-signatures";
import { expect, it } from "vitest";
import { AGENT, DIRECTORY, GET, NOON_S, POST, withHeaders, world } from "./support/world.ts";

// What we sign is read by an implementation that shares no code with ours, and what it signs is read by ours.

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

it("PLG-7 what a foreign implementation signs is verified, by whom it is, once, and not when it was changed", async () => {
  const here = await world();
  const signed = async (request: HttpRequest) => {
    const body = request.body ?? new Uint8Array();
    const digest = body.length === 0 ? [] : [["content-digest", await contentDigest(body)] as const];
    const bare = withHeaders(request, [["signature-agent", `theirs="${AGENT}"`], ...digest]);
    const fields = ["@method", "@authority", "@path", "@query", '"signature-agent";key="theirs"'];
    const { headers } = await httpbis.signMessage(
      {
        key: { id: here.key.keyId, alg: "ed25519", sign: async (base) => Buffer.from(await here.key.sign(base)) },
        name: "theirs",
        fields: [...fields, ...digest.map(([name]) => name)],
        params: ["tag", "nonce", "expires", "created", "alg", "keyid"],
        paramValues: {
          tag: "web-bot-auth",
          nonce: `nonce of ${request.method}`,
          created: new Date(NOON_S * 1000),
          expires: new Date((NOON_S + 60) * 1000),
        },
      },
      { method: request.method, url: request.url, headers: Object.fromEntries(bare.headers) },
    );
    return { ...request, headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as const) };
  };
  for (const request of [GET, POST, { ...GET, url: "https://shop.example:8443" }]) {
    const theirs = await signed(request);
    const reasonOf = async (one: HttpRequest) => {
      const [result] = (await here.verify(one)).results;
      return result?.outcome === "invalid" ? result.reason : result?.outcome;
    };
    expect(await reasonOf({ ...theirs, method: "PUT" })).toBe("bad_signature");
    expect(await reasonOf({ ...theirs, url: request.url.replace("shop", "other") })).toBe("bad_signature");
    expect(await reasonOf({ ...theirs, url: `${request.url}&more`.replace("example:8443&", "example:8443/?") })).toBe(
      "bad_signature",
    );
    const fresh = await world({ keys: here.keys });
    const [result] = (await fresh.verify(theirs)).results;
    assert(result?.outcome === "verified", `it holds: ${JSON.stringify(result)}`);
    expect([result.identifier, result.labelMismatch, mayActOn(result).ok]).toEqual([DIRECTORY, false, true]);
    expect((await fresh.verify(theirs)).results).toMatchObject([{ reason: "replayed" }]);
  }
});
