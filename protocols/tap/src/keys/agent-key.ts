import {
  type BaseVerifier,
  nodeCrypto,
  type PublicJwk,
  publicJwkOf,
  verifierOf,
} from "@countersign/web-bot-auth/signatures";
import { err, isJsonObject, type Json, ok, type Result, thumbprint } from "@countersign/wire";

/** The spellings that are read: RFC 9421 registers the first, and the publisher's pages write the second. */
export type TapAlgorithm = "ed25519" | "Ed25519" | "PS256";

export const TAP_ALGORITHMS: readonly TapAlgorithm[] = ["ed25519", "Ed25519", "PS256"];

/** An agent's key, as a source lists it. */
export interface AgentKey {
  /** Its `kid`, or its thumbprint where it has none: what `keyid` names. */
  readonly keyId: string;
  readonly jwk: PublicJwk;
  /** Its signatures under one of the spellings that fit it; undefined for the others. */
  verifierFor(algorithm: TapAlgorithm): BaseVerifier | undefined;
}

export type AgentKeyProblem = "malformed" | "private_member" | "unsupported_type";

const PRIVATE: readonly string[] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
const PSS_SALT_BYTES = 32;

export async function readAgentKey(given: Json): Promise<Result<AgentKey, AgentKeyProblem>> {
  if (!isJsonObject(given)) return err("malformed");
  if (PRIVATE.some((name) => Object.hasOwn(given, name))) return err("private_member");
  const { kid, use } = given;
  if ((kid !== undefined && typeof kid !== "string") || (use !== undefined && use !== "sig")) return err("malformed");
  const read = publicJwkOf(given);
  if (!read.ok) return err(read.reason === "unsupported_type" ? "unsupported_type" : "malformed");
  const jwk = read.value;
  const keyId = kid ?? (await thumbprint(jwk));
  if (jwk.kty === "OKP") {
    const verifier = await verifierOf(jwk, "ed25519");
    if (verifier === undefined) return err("malformed");
    return ok({
      keyId,
      jwk,
      // The spelling is part of what is signed, so the verifier goes by the one that came.
      verifierFor: (algorithm) => (algorithm === "PS256" ? undefined : { ...verifier, algorithm }),
    });
  }
  if (jwk.kty !== "RSA") return err("unsupported_type");
  const verifier = await pssVerifier(jwk);
  return verifier === undefined
    ? err("malformed")
    : ok({ keyId, jwk, verifierFor: (algorithm) => (algorithm === "PS256" ? verifier : undefined) });
}

/** RSASSA-PSS with SHA-256 and exactly 32 bytes of salt: an automatic length hides signers that do something else. */
async function pssVerifier(jwk: Extract<PublicJwk, { readonly kty: "RSA" }>): Promise<BaseVerifier | undefined> {
  try {
    if (nodeCrypto !== undefined) {
      const { createPublicKey, verify, constants } = nodeCrypto;
      const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
      const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: PSS_SALT_BYTES };
      return { algorithm: "PS256", verify: (base, signature) => verify("sha256", base, options, signature) };
    }
    const key = await crypto.subtle.importKey("jwk", { ...jwk }, { name: "RSA-PSS", hash: "SHA-256" }, true, [
      "verify",
    ]);
    const how = { name: "RSA-PSS", saltLength: PSS_SALT_BYTES };
    return {
      algorithm: "PS256",
      verify: (base, signature) => crypto.subtle.verify(how, key, new Uint8Array(signature), new Uint8Array(base)),
    };
  } catch {
    return undefined;
  }
}
