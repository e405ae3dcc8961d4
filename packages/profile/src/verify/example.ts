import {
  canonicalJson,
  digestOf,
  digestOfBytes,
  digestOfText,
  fromBase64Url,
  importPrivateKey,
  type Json,
  type JsonObject,
  type PublicJwk,
  secret,
  signerOf,
  signJws,
  thumbprint,
  toBase64Url,
} from "@countersign/wire";
import vector from "../../fixtures/evidence.json" with { type: "json" };
import { type VerifyOptions, verifyBundle } from "./bundle.ts";
import { type Hash, inclusionPath, leafBytes, leafHash, rootOf } from "./merkle.ts";

/**
 * For tests: makes the worked example again, with parts of it changed and everything above them signed anew by its TEST
 * ONLY keys. So each test breaks one rule and nothing else.
 */
export { vector };
export const TRUST = { pin: vector.pin, issuer: vector.issuer };

export type KeyName = "approval" | "receipt" | "log";
type Patch = (record: JsonObject) => JsonObject;

export interface Changes {
  readonly action?: Patch;
  readonly keys?: Patch;
  readonly credential?: Patch;
  readonly clientData?: Patch;
  readonly authenticatorData?: (bytes: Uint8Array) => Uint8Array;
  readonly assertion?: Patch;
  readonly approval?: Patch;
  readonly receipt?: Patch;
  readonly checkpoint?: Patch;
  /** Whose key signs a kind of record, where it is not the one that should. */
  readonly signers?: Readonly<Partial<Record<"keys" | "credential" | "approval" | "receipt" | "checkpoint", KeyName>>>;
  /** Parts left out, with their proofs. */
  readonly without?: readonly ("passkey" | "credential" | "approval" | "receipt" | "log")[];
  /** The order in which the parts are logged. */
  readonly order?: readonly ("keys" | "credential" | "approval" | "receipt")[];
  /** Signs the assertion instead of the example's passkey. */
  readonly passkeySigner?: (bytes: Uint8Array) => Promise<Uint8Array>;
}

const text = (value: string) => new TextEncoder().encode(value);
const payloadOf = (jws: string): JsonObject => {
  const bytes = fromBase64Url(jws.split(".")[1] ?? "");
  if (!bytes.ok) throw new Error("the example is readable");
  return JSON.parse(new TextDecoder().decode(bytes.value)) as JsonObject;
};

const { bundle } = vector;
export const example = {
  action: bundle.action as JsonObject,
  keys: payloadOf(bundle.keys),
  credential: payloadOf(bundle.credential),
  approval: payloadOf(bundle.approval),
  receipt: payloadOf(bundle.receipt),
  checkpoint: payloadOf(bundle.log.checkpoint),
};

const listed = example.keys["keys"] as unknown as readonly (PublicJwk & { readonly role: string })[];

/** The example's key of that name, out of its recipe. */
export async function signerNamed(name: KeyName | "passkey"): Promise<(bytes: Uint8Array) => Promise<Uint8Array>> {
  const jwk = name === "passkey" ? example.credential["public_key"] : listed.find((key) => key.role === name);
  const { x, y } = jwk as unknown as PublicJwk;
  const d = await digestOfText(`countersign test key ${name}`);
  const key = await importPrivateKey(secret({ kty: "EC", crv: "P-256", x, y, d }));
  if (!key.ok) throw new Error("the example's keys follow its recipe");
  return signerOf(key.value);
}

export async function signAs(name: KeyName, kind: string, payload: JsonObject): Promise<string> {
  const jwk = listed.find((key) => key.role === name);
  if (jwk === undefined) throw new Error("no such key");
  const kid = await thumbprint(jwk);
  return signJws({ kind, payload, kid, sign: await signerNamed(name) }, { maxPayloadBytes: 64 * 1024 });
}

const same: Patch = (record) => record;

/** r||s to DER, as authenticators answer. */
export function toDer(raw: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = [...bytes.subarray(start)];
    if ((digits[0] ?? 0) >= 0x80) digits.unshift(0);
    return [0x02, digits.length, ...digits];
  };
  const body = [...integer(raw.subarray(0, 32)), ...integer(raw.subarray(32))];
  return new Uint8Array([0x30, body.length, ...body]);
}

async function makePasskey(actionDigest: string, changes: Changes): Promise<JsonObject> {
  const clientData = (changes.clientData ?? same)({
    type: "webauthn.get",
    challenge: actionDigest,
    origin: vector.issuer,
    crossOrigin: false,
  });
  const clientBytes = text(JSON.stringify(clientData));
  const original = fromBase64Url(bundle.passkey.authenticator_data);
  const clientHash = fromBase64Url(await digestOfBytes(clientBytes));
  if (!original.ok || !clientHash.ok) throw new Error("the example is readable");
  const authenticatorBytes = (changes.authenticatorData ?? ((bytes) => bytes))(original.value);
  const sign = changes.passkeySigner ?? (async (bytes) => toDer(await (await signerNamed("passkey"))(bytes)));
  const signature = await sign(new Uint8Array([...authenticatorBytes, ...clientHash.value]));
  return (changes.assertion ?? same)({
    typ: "countersign.passkey/1",
    credential_id: bundle.passkey.credential_id,
    authenticator_data: toBase64Url(authenticatorBytes),
    client_data_json: toBase64Url(clientBytes),
    signature: toBase64Url(signature),
  });
}

/** The example's bundle with `changes`, everything above a change signed again. */
export async function remade(changes: Changes = {}): Promise<JsonObject> {
  const signed = (
    kind: "keys" | "credential" | "approval" | "receipt" | "checkpoint",
    by: KeyName,
    record: JsonObject,
  ) => signAs(changes.signers?.[kind] ?? by, kind, record);
  const left = (part: "passkey" | "credential" | "approval" | "receipt" | "log") => changes.without?.includes(part);
  const action = (changes.action ?? same)(example.action);
  const actionDigest = await digestOf(action);
  const keys = await signed("keys", "log", (changes.keys ?? same)(example.keys));
  const credential = await signed("credential", "approval", (changes.credential ?? same)(example.credential));
  const passkey = await makePasskey(actionDigest, changes);
  const approval = await signed(
    "approval",
    "approval",
    (changes.approval ?? same)({
      ...example.approval,
      action_digest: actionDigest,
      auth: {
        method: "passkey",
        uv: true,
        assertion_digest: await digestOf(passkey),
        credential_digest: await digestOfText(credential),
      },
    }),
  );
  const receipt = await signed(
    "receipt",
    "receipt",
    (changes.receipt ?? same)({
      ...example.receipt,
      action_digest: actionDigest,
      approval_digest: await digestOfText(approval),
    }),
  );
  const parts: Readonly<Record<string, string>> = {
    keys,
    ...(left("credential") ? {} : { credential }),
    ...(left("approval") ? {} : { approval }),
    ...(left("receipt") ? {} : { receipt }),
  };
  return {
    typ: "countersign.bundle/1",
    action,
    disclosures: bundle.disclosures,
    ...parts,
    ...(left("passkey") ? {} : { passkey }),
    ...(left("log") ? {} : { log: await makeLog(parts, changes) }),
  };
}

async function makeLog(parts: Readonly<Record<string, string>>, changes: Changes): Promise<JsonObject> {
  const order = (changes.order ?? ["keys", "credential", "approval", "receipt"]).filter((kind) => kind in parts);
  const leaves: Hash[] = [];
  for (const kind of order) leaves.push(await leafHash(leafBytes(kind, await digestOfText(parts[kind] ?? ""))));
  const proofs: Record<string, Json> = {};
  for (const [index, kind] of order.entries()) {
    proofs[kind] = { index, path: (await inclusionPath(leaves, index)).map((hash) => toBase64Url(hash)) };
  }
  const checkpoint = (changes.checkpoint ?? same)({
    ...example.checkpoint,
    size: leaves.length,
    root: toBase64Url(await rootOf(leaves)),
  });
  return { checkpoint: await signAs(changes.signers?.checkpoint ?? "log", "checkpoint", checkpoint), ...proofs };
}

/** A deep copy of the example's bundle that a test may change in place, without signing anything again. */
export function copyOfBundle(): typeof bundle {
  return JSON.parse(canonicalJson(bundle as Json)) as typeof bundle;
}

/** A record with some members replaced; undefined takes one out. */
export function put(members: Readonly<Record<string, Json | undefined>>): (record: JsonObject) => JsonObject {
  return (record) =>
    Object.fromEntries(
      Object.entries({ ...record, ...members }).filter((entry): entry is [string, Json] => entry[1] !== undefined),
    );
}

/** `L3 approval succeeded` with its notes, or `5 approval digest_differs`: step, part and code of the refusal. */
export async function answerTo(bundle: Json, options: Partial<VerifyOptions> = {}): Promise<string> {
  const report = await verifyBundle(bundle, { ...TRUST, ...options });
  if (!report.ok) return `${report.reason.step} ${report.reason.part} ${report.reason.code}`;
  const { level, proves, receipt, notes } = report.value;
  return [level, proves, receipt, ...notes].join(" ");
}
