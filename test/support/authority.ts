import type { Authority } from "@countersign/plugin";
import {
  assert,
  digestOf,
  err,
  generateSigningKey,
  importPrivateKey,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  type PublicJwk,
  parseJws,
  parsePublicJwk,
  signerOf,
  signJws,
  thumbprint,
  verifyJws,
} from "@countersign/wire";

/** The issuer of a test authority: it signs statements, and its public key is what the account holder enrols. */
export interface Issuer {
  readonly publicJwk: PublicJwk;
  /** A statement about one record, by its digest. */
  exact(actionDigest: string, decision?: "approved" | "denied"): Promise<string>;
  /** A mandate: up to an amount at a payee, once. It names no record, so only its consumption makes it single. */
  mandate(terms: { readonly payee: string; readonly max_minor: number; readonly jti: string }): Promise<string>;
}

export async function makeIssuer(): Promise<Issuer> {
  const { publicJwk, privateJwk } = await generateSigningKey();
  const key = await importPrivateKey(privateJwk);
  assert(key.ok, "a fresh key can be used");
  const kid = await thumbprint({ ...publicJwk });
  const sign = (said: JsonObject) =>
    signJws({
      kind: "statement",
      payload: { typ: "countersign.statement/1", ...said },
      kid,
      sign: signerOf(key.value),
    });
  return {
    publicJwk,
    exact: (actionDigest, decision = "approved") => sign({ form: "exact", action_digest: actionDigest, decision }),
    mandate: (terms) => sign({ form: "mandate", ...terms }),
  };
}

/** What a test can see and turn: how often it was asked, and what it does instead of answering. */
export interface Watched {
  readonly authority: Authority;
  asked: number;
  /** Runs before the answer; may throw, hang, or meddle with the record. */
  before: (record: object) => Promise<void> | void;
}

/** An authority of the simplest kind: an ES256 statement by the enrolled key over the record's digest, or a mandate. */
export function statements(): Watched {
  const watched: Watched = {
    asked: 0,
    before: () => {},
    authority: {
      title: "Test mandates",
      enrol(parameters) {
        const given = parameters["jwk"] ?? null;
        const jwk = isJsonObject(given) ? parsePublicJwk(given) : err("no key");
        return jwk.ok ? ok({ jwk: { ...jwk.value } }) : err("a P-256 key as jwk");
      },
      async verify(_ctx, evidence, record, { parameters }) {
        watched.asked += 1;
        await watched.before(record);
        const statement = await read(evidence, parameters["jwk"] ?? null);
        if (statement === undefined) return err("not signed by the enrolled key");
        if (statement["form"] === "exact") {
          if (statement["action_digest"] !== (await digestOf(record as JsonObject))) return err("another record");
          const decision = statement["decision"] === "approved" ? "approved" : "denied";
          return ok({ decision, consume: [] });
        }
        const { payee, total_minor: total } = record.terms as JsonObject;
        const most = statement["max_minor"];
        if (statement["payee"] !== payee || typeof total !== "number" || typeof most !== "number" || total > most)
          return err("outside the mandate");
        return ok({ decision: "approved", consume: [{ key: `mandate:${String(statement["jti"])}` }] });
      },
    },
  };
  return watched;
}

async function read(evidence: Json, jwk: Json): Promise<JsonObject | undefined> {
  if (typeof evidence !== "string" || !isJsonObject(jwk)) return undefined;
  const parsed = parseJws(evidence);
  return parsed.ok && (await verifyJws(parsed.value, jwk)) ? parsed.value.payload : undefined;
}
