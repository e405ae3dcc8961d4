import type { Json, JsonObject } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { example, vector } from "../verify/example.ts";
import { actionRecord } from "./action.ts";
import { approvalRecord } from "./approval.ts";
import { evidenceBundle } from "./bundle.ts";
import { checkpointRecord, keySetRecord, revocationRecord } from "./keys.ts";
import { credentialRecord, passkeyRecord } from "./passkey.ts";
import { receiptRecord } from "./receipt.ts";

type Members = Readonly<Record<string, Json | undefined>>;

function put(record: JsonObject, members: Members): JsonObject {
  const all = Object.entries({ ...record, ...members });
  return Object.fromEntries(all.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const passkey = vector.bundle.passkey as JsonObject;
const revocation = {
  typ: "countersign.revocation/1",
  issuer: vector.issuer,
  what: "consent",
  ref: "consent_demo",
  at: "2026-11-30T10:00:00Z",
};

const RECORDS: readonly (readonly [
  name: string,
  schema: z.ZodType,
  example: JsonObject,
  optional: readonly string[],
])[] = [
  ["action", actionRecord, example.action, []],
  ["approval", approvalRecord, example.approval, []],
  ["passkey", passkeyRecord, passkey, []],
  ["credential", credentialRecord, example.credential, []],
  ["keys", keySetRecord, example.keys, []],
  ["revocation", revocationRecord, revocation, []],
  ["checkpoint", checkpointRecord, example.checkpoint, []],
  ["receipt", receiptRecord, example.receipt, ["attempt", "commit_started_at", "destination", "observed"]],
];

describe.each(RECORDS)("the %s record", (_name, schema, record, optional) => {
  test("the example's stands, and reads back as it is", () => {
    expect(schema.parse(record)).toEqual(record);
  });

  test("each member is required unless the format says otherwise", () => {
    for (const member of Object.keys(record)) {
      expect([member, schema.safeParse(put(record, { [member]: undefined })).success]).toEqual([
        member,
        optional.includes(member),
      ]);
    }
  });

  test("unknown members, null and other types are refused", () => {
    expect(schema.safeParse({ ...record, extra: 1 }).success).toBe(false);
    for (const member of Object.keys(record)) {
      expect(schema.safeParse({ ...record, [member]: null }).success).toBe(false);
      expect(schema.safeParse({ ...record, [member]: true }).success).toBe(false);
    }
  });

  test("has a JSON Schema", () => {
    expect(z.toJSONSchema(schema)).toMatchObject({ type: "object", additionalProperties: false });
  });
});

describe("shapes", () => {
  const accepts = (members: Members) => actionRecord.safeParse(put(example.action, members)).success;

  test("times have one spelling", () => {
    for (const time of [
      "2026-11-30T10:00:00.000Z",
      "2026-11-30T10:00:00+00:00",
      "2026-11-30t10:00:00z",
      "2026-11-30 10:00:00Z",
      "2026-02-30T10:00:00Z",
      "2026-11-30T24:00:00Z",
    ]) {
      expect([time, accepts({ created_at: time })]).toEqual([time, false]);
    }
  });

  test("digests are 32 bytes in their one spelling", () => {
    const digest = vector.digests.request;
    expect(accepts({ request_digest: digest })).toBe(true);
    for (const bad of [`${digest}=`, digest.slice(1), `${digest.slice(0, -1)}9`, digest.replace(/^./, "+")]) {
      expect([bad, accepts({ request_digest: bad })]).toEqual([bad, false]);
    }
  });

  test("nonces are 16 bytes", () => {
    for (const bad of ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAB", "AAAAAAAAAAAAAAAAAAAAAAA"]) {
      expect(accepts({ nonce: bad })).toBe(false);
    }
  });

  test("origins and issuers are spelled as the URL standard writes them", () => {
    const route = example.action["route"] as JsonObject;
    for (const origin of [
      "https://shop.example/",
      "https://SHOP.example",
      "https://shop.example:443",
      "shop.example",
    ]) {
      expect([origin, accepts({ route: { ...route, origin } })]).toEqual([origin, false]);
    }
    for (const issuer of ["https://gateway.example/", "https://gateway.example?x", "https://u@gateway.example", "x"]) {
      expect([issuer, accepts({ issuer })]).toEqual([issuer, false]);
    }
    expect(accepts({ issuer: "http://localhost:4600" })).toBe(true);
  });

  test("APR-2 terms, parameters and limits may be any object of the record profile, and no other", () => {
    for (const member of ["terms", "parameters", "limits"]) {
      expect(accepts({ [member]: { anything: [{ at: "all" }] } })).toBe(true);
      expect(accepts({ [member]: {} })).toBe(true);
      for (const bad of [[], { amount: 1.5 }, { none: null }, { camelCase: 1 }, { tab: "\t" }, { half: "\ud800" }]) {
        expect([member, bad, accepts({ [member]: bad as Json })]).toEqual([member, bad, false]);
      }
    }
  });

  test("text of people and sites keeps its characters", () => {
    expect(accepts({ terms: { title: "\u202eevil\u200b Ünïcode\nsecond line" } })).toBe(true);
  });

  test("an agent may be a client metadata document's URL", () => {
    expect(accepts({ agent: "https://agent.example/client?v=1" })).toBe(true);
    expect(accepts({ agent: "two words" })).toBe(false);
  });
});

describe("receipts", () => {
  const accepts = (members: Members) => receiptRecord.safeParse(put(example.receipt, members)).success;
  const unsent = {
    commit_started_at: undefined,
    attempt: undefined,
    destination: undefined,
    observed: undefined,
  };

  test("REC-1 a reason stands with every outcome but success", () => {
    expect(accepts({ reason: "over_limit" })).toBe(false);
    for (const outcome of ["denied", "expired", "cancelled", "failed"]) {
      expect(accepts({ ...unsent, outcome, reason: "over_limit" })).toBe(true);
      expect(accepts({ ...unsent, outcome })).toBe(false);
    }
  });

  test("REC-1 members that an outcome cannot have are absent", () => {
    for (const outcome of ["denied", "expired", "cancelled"]) {
      const base = { ...unsent, outcome, reason: "request_expired" };
      for (const member of ["commit_started_at", "attempt", "destination"] as const) {
        expect([member, accepts({ ...base, [member]: example.receipt[member] as Json })]).toEqual([member, false]);
      }
    }
    const unknown = { outcome: "outcome_unknown", reason: "awaiting_confirmation", destination: undefined };
    expect(accepts(unknown)).toBe(true);
    expect(accepts({ ...unknown, commit_started_at: undefined })).toBe(false);
    expect(accepts({ ...unknown, destination: { confirmation: "SO-1" } })).toBe(false);
  });

  test("REC-1 approval and action come together", () => {
    expect(accepts({ approval_ref: undefined })).toBe(false);
    expect(accepts({ approval_digest: undefined })).toBe(false);
    expect(accepts({ action_digest: undefined })).toBe(false);
    expect(accepts({ ...unsent, action_digest: undefined, approval_ref: undefined, approval_digest: undefined })).toBe(
      true,
    );
    expect(accepts({ ...unsent, outcome: "failed", reason: "site_gap", action_digest: undefined })).toBe(false);
    expect(accepts({ action_digest: undefined, approval_ref: undefined, approval_digest: undefined })).toBe(false);
  });

  test("a commit does not start after it finished", () => {
    expect(accepts({ commit_started_at: "2026-11-30T10:00:54Z" })).toBe(false);
  });

  test("a charge above the approved total is said with what was charged (decisions.md 10)", () => {
    expect(accepts({ flags: ["terms_exceeded"] })).toBe(true);
    expect(accepts({ flags: ["terms_exceeded"], observed: undefined })).toBe(false);
    expect(accepts({ flags: [] })).toBe(false);
    expect(accepts({ flags: ["other"] })).toBe(false);
    const failed = { outcome: "failed", reason: "site_refused" };
    expect(accepts({ ...failed, flags: ["terms_exceeded"] })).toBe(false);
    expect(accepts({ flags: ["terms_differ"] })).toBe(true);
    expect(accepts({ flags: ["terms_differ"], observed: undefined })).toBe(false);
    expect(accepts({ flags: ["terms_else"] })).toBe(false);
  });

  test("REC-3 the gateway's own record never passes as a merchant's", () => {
    expect(accepts({ source: "merchant" })).toBe(false);
  });

  test("REC-4 receipts are numbered from one", () => {
    expect(accepts({ account_seq: 0 })).toBe(false);
    expect(accepts({ prev: "" })).toBe(false);
  });
});

describe("approvals", () => {
  const accepts = (members: Members) => approvalRecord.safeParse(put(example.approval, members)).success;
  const surface = example.approval["surface"] as JsonObject;
  const session = { method: "session", uv: false };

  test("APR-7 a passkey approval names assertion, credential and build", () => {
    const auth = example.approval["auth"] as JsonObject;
    expect(accepts({ auth: put(auth, { assertion_digest: undefined }) })).toBe(false);
    expect(accepts({ auth: put(auth, { credential_digest: undefined }) })).toBe(false);
    expect(accepts({ surface: put(surface, { build_digest: undefined }) })).toBe(false);
  });

  test("a session approval claims no more than a session", () => {
    expect(accepts({ auth: session })).toBe(true);
    expect(accepts({ auth: session, surface: put(surface, { build_digest: undefined }) })).toBe(true);
    expect(accepts({ auth: { ...session, uv: true } })).toBe(false);
    expect(accepts({ auth: { ...session, credential_digest: vector.digests.credential } })).toBe(false);
  });

  test("APR-6 an approval is used once", () => {
    expect(accepts({ uses: 2 })).toBe(false);
  });
});

describe("key sets", () => {
  const accepts = (members: Members) => keySetRecord.safeParse(put(example.keys, members)).success;
  const [first = {}] = example.keys["keys"] as readonly JsonObject[];

  test("versions are chained", () => {
    expect(accepts({ version: 2 })).toBe(false);
    expect(accepts({ version: 2, prev: vector.digests.keys })).toBe(true);
    expect(accepts({ version: 1, prev: vector.digests.keys })).toBe(false);
    expect(accepts({ keys: [] })).toBe(false);
  });

  test("a compromised key says from when it is suspect and when it was revoked", () => {
    const times = { suspect_from: "2026-11-01T00:00:00Z", revoked_at: "2026-11-02T00:00:00Z" };
    expect(accepts({ keys: [{ ...first, ...times }] })).toBe(true);
    expect(accepts({ keys: [{ ...first, suspect_from: times.suspect_from }] })).toBe(false);
    expect(accepts({ keys: [{ ...first, revoked_at: times.revoked_at }] })).toBe(false);
  });

  test("no private part, no other algorithm, no time that is none", () => {
    expect(accepts({ keys: [{ ...first, d: vector.digests.keys }] })).toBe(false);
    expect(accepts({ keys: [{ ...first, alg: "RS256" }] })).toBe(false);
    expect(accepts({ keys: [{ ...first, role: "any" }] })).toBe(false);
    expect(accepts({ keys: [{ ...first, not_after: first["not_before"] as Json }] })).toBe(false);
  });
});

test("a bundle holds a decision or a receipt, and disclosures only of an action", () => {
  const keys = vector.bundle.keys;
  const receipt = vector.receipt_of_a_denied_task;
  const base = { typ: "countersign.bundle/1", keys };
  const accepts = (members: Members) => evidenceBundle.safeParse(put(base, members)).success;
  expect(accepts({})).toBe(false);
  expect(accepts({ receipt })).toBe(true);
  expect(accepts({ receipt, disclosures: [] })).toBe(true);
  expect(accepts({ receipt, disclosures: vector.bundle.disclosures })).toBe(false);
  expect(accepts({ approval: vector.bundle.approval })).toBe(false);
});
