import { format, inspect } from "node:util";
import {
  directoryDocument,
  generateSigningKey,
  importSigningKey,
  secret,
  serveDirectory,
  signatureHeaders,
  signingKeyOf,
  signRequest,
} from "@countersign/web-bot-auth";
import { assert } from "@countersign/wire";
import { expect, it } from "vitest";
import { AGENT, POST } from "./support/world.ts";

/** The private half in every spelling that a printer could give it. */
function spellings(d: string): readonly string[] {
  const bytes = Buffer.from(d, "base64url");
  const hex = bytes.toString("hex");
  return [
    d,
    bytes.toString("base64"),
    hex,
    hex.replace(/..(?=.)/g, "$& "),
    [...bytes].join(", "),
    [...bytes].join(","),
  ];
}

/** What somebody would write into a log of it, by any way that there is. */
function shown(value: unknown): readonly string[] {
  const deep = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true, maxArrayLength: null };
  const members = typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptors(value) : {};
  return [
    inspect(value, deep),
    inspect({ nested: [value] }, deep),
    inspect(members, deep),
    format("%s %o %O %j", value, value, value, value),
    String(value),
    JSON.stringify({ value, ...Object(value) }) ?? "",
  ];
}

async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return assert(false, "it throws");
}

it("N38 PLG-10 whoever prints, sends, copies or throws a signing key shows nothing of its private half", async () => {
  const { key, privateJwk } = await generateSigningKey();
  const jwk = privateJwk.reveal();
  const { d } = jwk;
  assert(d !== undefined, "there is a private half");
  const other = await generateSigningKey();
  const imported = await importSigningKey(secret(jwk));
  const held = await signingKeyOf(
    (await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"])) as CryptoKeyPair,
  );
  assert(imported.ok && held.ok, "both can be used");
  const agent = { type: "directory", origin: AGENT } as const;
  const options = { key, agent };
  const request = new Request("https://shop.example/orders", { method: "POST", body: "{}" });
  const signed = await signRequest(request, options);
  const served = await serveDirectory(new Request(`${AGENT}/.well-known/http-message-signatures-directory`), {
    keys: [key, imported.value],
  });
  assert(signed.ok, "it is signed");
  const values: readonly unknown[] = [
    key,
    privateJwk,
    imported,
    { key, privateJwk },
    { ...key },
    Object.freeze([key]),
    held,
    options,
    await signatureHeaders(POST, options),
    signed.value,
    [...signed.value.headers],
    directoryDocument([key, imported.value]),
    await served.text(),
    [...served.headers],
    // Keys that are refused: the refusal says that, and not what it was.
    await importSigningKey(secret({ ...jwk, x: other.key.publicJwk.x })),
    await importSigningKey(secret({ ...jwk, kty: "EC" })),
    await importSigningKey(secret({ ...jwk, d: `${d}AA` })),
    // What is thrown, with its causes.
    await thrownBy(() => signatureHeaders(POST, { ...options, lifetimeS: 301 })),
    await thrownBy(() => structuredClone(key)),
    await thrownBy(() => structuredClone(imported.value)),
    await thrownBy(() => key.sign(undefined as unknown as Uint8Array)),
    await thrownBy(() => new URL(String(privateJwk), "nowhere")),
  ];
  const texts = values.flatMap(shown);
  for (const spelling of spellings(d)) expect(texts.filter((text) => text.includes(spelling))).toEqual([]);
  // The looking finds what is there.
  expect(shown(jwk).every((text) => text === "[object Object]" || text.includes(d))).toBe(true);
});
