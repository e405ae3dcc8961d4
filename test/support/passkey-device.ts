import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { assert, type JsonObject } from "@countersign/wire";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const UP = 0x01;
const UV = 0x04;
const ATTESTED = 0x40;
const AAGUID_BYTES = 16;

/** What a device does otherwise than it should. */
export interface Change {
  readonly origin?: string;
  readonly rpId?: string;
  readonly user?: "verified" | "present";
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  readonly counter?: number;
  readonly userHandle?: string | undefined;
  readonly id?: string;
  readonly alterSignature?: boolean;
}

type Kind = "ES256" | "RS256" | "EdDSA";

/**
 * A device with one passkey, in software: it answers the gateway's options as a browser would post them. It can also
 * answer as no honest browser would.
 */
export class PasskeyDevice {
  readonly credentialId = randomBytes(32).toString("base64url");
  readonly #origin: string;
  readonly #kind: Kind;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  #handle = "";
  /** 0 counts nothing, as synced passkeys do. */
  counter = 0;

  constructor(origin: string, kind: Kind = "ES256") {
    this.#origin = origin;
    this.#kind = kind;
    const pair =
      kind === "ES256"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : kind === "RS256"
          ? generateKeyPairSync("rsa", { modulusLength: 2048 })
          : generateKeyPairSync("ed25519");
    this.#key = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /** Makes the passkey that the options ask for. */
  register(options: JsonObject, change: Change = {}): JsonObject {
    const user = options["user"] as { id: string };
    this.#handle = user.id;
    const id = Buffer.from(this.credentialId, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#head(ATTESTED, change),
      Buffer.alloc(AAGUID_BYTES),
      length,
      id,
      isoCBOR.encode(this.#cose()),
    ]);
    const attestation = new Map<string | number, Uint8Array | string | Map<string | number, string>>([
      ["fmt", "none"],
      ["attStmt", new Map<string | number, string>()],
      ["authData", Uint8Array.from(authData)],
    ]);
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData("webauthn.create", options, change).toString("base64url"),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** Signs the challenge that the options hold. */
  answer(options: JsonObject, change: Change = {}): JsonObject {
    const clientData = this.#clientData("webauthn.get", options, change);
    const authData = this.#head(0, change);
    const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
    const signature = sign(this.#kind === "EdDSA" ? null : "sha256", signed, this.#key);
    if (change.alterSignature) {
      const at = signature.length - 1;
      signature.writeUInt8((signature.readUInt8(at) + 1) % 256, at);
    }
    const id = change.id ?? this.credentialId;
    const handle = "userHandle" in change ? change.userHandle : this.#handle;
    return {
      id,
      rawId: id,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
        ...(handle === undefined ? {} : { userHandle: handle }),
      },
    };
  }

  /** As the approval page posts it: the digest of a record is the challenge. */
  approve(actionDigest: string): JsonObject {
    const { response } = this.answer({ challenge: actionDigest }) as { response: Record<string, string> };
    const { authenticatorData = "", clientDataJSON = "", signature = "" } = response;
    return {
      credential_id: this.credentialId,
      authenticator_data: authenticatorData,
      client_data_json: clientDataJSON,
      signature,
    };
  }

  #head(flags: number, change: Change): Buffer {
    const rpId = change.rpId ?? new URL(this.#origin).hostname;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(change.counter ?? this.counter);
    const all = flags | UP | (change.user === "present" ? 0 : UV);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Uint8Array.of(all), counter]);
  }

  #clientData(type: string, options: JsonObject, change: Change): Buffer {
    const data = {
      type: change.type ?? type,
      challenge: change.challenge ?? options["challenge"],
      origin: change.origin ?? this.#origin,
      crossOrigin: change.crossOrigin ?? false,
      ...(change.topOrigin === undefined ? {} : { topOrigin: change.topOrigin }),
    };
    return Buffer.from(JSON.stringify(data), "utf8");
  }

  #cose(): Map<string | number, number | Uint8Array> {
    const jwk = this.#publicKey.export({ format: "jwk" });
    const bytes = (text: unknown): Uint8Array => {
      assert(typeof text === "string", "a key has this member");
      return Uint8Array.from(Buffer.from(text, "base64url"));
    };
    const entries: [number, number | Uint8Array][] =
      this.#kind === "ES256"
        ? [
            [1, 2],
            [3, -7],
            [-1, 1],
            [-2, bytes(jwk.x)],
            [-3, bytes(jwk.y)],
          ]
        : this.#kind === "RS256"
          ? [
              [1, 3],
              [3, -257],
              [-1, bytes(jwk.n)],
              [-2, bytes(jwk.e)],
            ]
          : [
              [1, 1],
              [3, -8],
              [-1, 6],
              [-2, bytes(jwk.x)],
            ];
    return new Map(entries);
  }
}
