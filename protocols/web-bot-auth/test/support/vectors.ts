import { readFileSync } from "node:fs";
import type { FieldLine, HttpRequest, PublicKey } from "@countersign/web-bot-auth";
import { importSigningKey, readPublicKey, type SigningKey, secret } from "@countersign/web-bot-auth";
import { assert, type Json } from "@countersign/wire";

export interface RequestVector {
  readonly id: string;
  readonly key: "ed25519" | "rsa-pss";
  readonly label: string;
  readonly byteForByteReproducible: boolean;
  readonly signatureParameters: Readonly<Record<string, string | number>>;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly signatureBase: string;
  readonly signatureInput: string;
  readonly signature: string;
  readonly expect: { readonly verifyAt?: number; readonly directoryUrlUnder00?: string };
}

interface Vectors {
  readonly keys: Readonly<
    Record<string, { readonly keyid: string; readonly jwkPublic: Json; readonly jwkPrivate?: object }>
  >;
  readonly vectors: readonly RequestVector[];
  readonly signatureAgentHeaders: readonly {
    readonly name: string;
    readonly header: string;
    readonly profile: string;
    readonly members: readonly { readonly key: string; readonly uri: string; readonly type?: string }[];
    readonly resolvesTo?: string | null;
    /** What the earlier revision makes of it, where that is something else. */
    readonly under00?: string;
  }[];
  readonly registryFiles: readonly {
    readonly name: string;
    readonly text: string;
    readonly cards: readonly string[];
  }[];
  readonly signatureAgentCards: readonly {
    readonly name: string;
    readonly retrievedFrom: string;
    readonly valid: boolean;
    readonly card: Json;
  }[];
}

export const VECTORS = JSON.parse(
  readFileSync(new URL("../../fixtures/vectors.json", import.meta.url), "utf8"),
) as Vectors;

export function vector(id: string): RequestVector {
  const found = VECTORS.vectors.find((v) => v.id === id);
  assert(found !== undefined, "the vector is there");
  return found;
}

/** The key of RFC 9421 B.1.4, which everybody has the private half of. */
export async function testSigningKey(): Promise<SigningKey> {
  const key = await importSigningKey(secret({ ...VECTORS.keys["ed25519"]?.jwkPrivate }));
  assert(key.ok, "the published key is Ed25519");
  return key.value;
}

export async function vectorKey(name: string): Promise<PublicKey> {
  const given = VECTORS.keys[name];
  assert(given !== undefined, "the key is there");
  const key = await readPublicKey(given.jwkPublic);
  assert(key.ok, "a published key is usable");
  return key.value;
}

export function requestOf({ request }: RequestVector): HttpRequest {
  return { method: request.method, url: request.url, headers: lines(request.headers), body: new Uint8Array() };
}

export function lines(headers: Readonly<Record<string, string>>): readonly FieldLine[] {
  return Object.entries(headers);
}
