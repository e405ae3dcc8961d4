import {
  canonicalJson,
  generateSigningKey,
  importPrivateKey,
  type JsonObject,
  signerOf,
  toBase64Url,
} from "@countersign/wire";
import type { CardRules } from "./judge.ts";

/** A good card, for tests to spoil. */
export const CARD: JsonObject = {
  name: "Harbour agent",
  description: "Buys at Harbour & Hill.",
  version: "3.1.0",
  supportedInterfaces: [
    { url: "https://agent.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: "https://agent.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
  ],
  capabilities: {
    streaming: true,
    extensions: [
      {
        uri: "https://extensions.example/receipts/v1",
        description: "Receipts.",
        required: true,
        params: { form: "jws" },
      },
      { uri: "urn:example:a2a:hours:2", description: "Hours." },
    ],
  },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } } },
  securityRequirements: [{ schemes: { bearer: { list: ["orders"] } } }],
  defaultInputModes: ["application/json"],
  defaultOutputModes: ["application/json"],
  skills: [{ id: "quote", name: "Quote", description: "Says what it costs.", tags: ["shop"] }],
};

export interface TestSigner {
  readonly publicJwk: JsonObject;
  /** Signs exactly what will be served. */
  sign(card: JsonObject, header?: JsonObject): Promise<JsonObject>;
}

export async function testSigner(): Promise<TestSigner> {
  const { publicJwk, privateJwk } = await generateSigningKey();
  const key = await importPrivateKey(privateJwk);
  if (!key.ok) throw new Error("a fresh key can be imported");
  const sign = signerOf(key.value);
  return {
    publicJwk: { ...publicJwk },
    async sign(card, header = { alg: "ES256", kid: "one", typ: "JOSE" }) {
      const { signatures = [], ...unsigned } = card;
      const head = toBase64Url(new TextEncoder().encode(JSON.stringify(header)));
      const payload = toBase64Url(new TextEncoder().encode(canonicalJson(unsigned)));
      const signature = toBase64Url(await sign(new TextEncoder().encode(`${head}.${payload}`)));
      return { ...unsigned, signatures: [...(signatures as JsonObject[]), { protected: head, signature }] };
    },
  };
}

export const ISSUER = "https://gateway.example";

/** What the reader of {@link CARD} goes by, with one key that is trusted. */
export function rulesWith(keys: readonly JsonObject[], changes: Partial<CardRules> = {}): CardRules {
  return {
    keys: { configured: keys, at: async () => [] },
    unsigned: "refused",
    origins: new Set(["https://agent.example"]),
    issuer: ISSUER,
    extensions: [
      { uri: "https://extensions.example/receipts/v1", accepts: (params) => params?.["form"] === "jws" },
      { uri: "urn:example:a2a:hours:2", accepts: () => true },
    ],
    skills: ["quote"],
    before: undefined,
    accepted: undefined,
    ...changes,
  };
}

export function bytesOf(card: JsonObject): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(card));
}
