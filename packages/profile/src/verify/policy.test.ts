import type { Json, JsonObject } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import { approvalRecord } from "../records/approval.ts";
import { verifyBundle } from "./bundle.ts";
import { answerTo, type Changes, example, put, remade, TRUST, vector } from "./example.ts";
import { statementOf } from "./report.ts";

const limits = (approval: Json | undefined): NonNullable<Changes["action"]> =>
  put({ limits: { ...(example.action["limits"] as JsonObject), ...(approval === undefined ? {} : { approval }) } });
const bySession: Changes = {
  approval: put({ auth: { method: "session", uv: false } }),
  without: ["passkey", "credential"],
};
const byAuthority: Changes = {
  approval: put({
    auth: { method: "authority", uv: false, authority: "mandates", evidence_digest: vector.digests.request },
    surface: put({ build_digest: undefined })(example.approval["surface"] as JsonObject),
  }),
  without: ["passkey", "credential"],
};
const answer = async (changes: Changes) => answerTo(await remade(changes));

describe("APR-7 an approval by an authority", () => {
  test("stands, at no level above what the operator states, and says whose word it is", async () => {
    const report = await verifyBundle(await remade(byAuthority), TRUST);
    expect(report).toMatchObject({ ok: true, value: { level: "L2", proves: "approval" } });
    if (!report.ok) throw new Error("it stands");
    expect(report.value.notes).toContain("decided_by_authority");
    expect(statementOf(report.value)).toContain("an authority which the account holder enrolled approved");
  });

  test("carries no passkey, and a session or passkey approval carries no authority", () => {
    const auth = { method: "authority", uv: false, authority: "mandates", evidence_digest: vector.digests.request };
    const accepts = (members: JsonObject) => approvalRecord.safeParse({ ...example.approval, auth: members }).success;
    expect(accepts(auth)).toBe(true);
    expect(accepts({ ...auth, uv: true })).toBe(false);
    expect(accepts({ ...auth, assertion_digest: vector.digests.request })).toBe(false);
    expect(accepts({ ...auth, credential_digest: vector.digests.credential })).toBe(false);
    expect(accepts({ method: "authority", uv: false })).toBe(false);
    expect(accepts({ method: "authority", uv: false, authority: "mandates" })).toBe(false);
    expect(accepts({ method: "session", uv: false, authority: "mandates" })).toBe(false);
    expect(accepts({ ...(example.approval["auth"] as JsonObject), evidence_digest: vector.digests.request })).toBe(
      false,
    );
  });
});

describe("APR-3 the policy that the record names", () => {
  test.each([
    ["none", bySession, "L2 approval succeeded"],
    ["session", bySession, "L2 approval succeeded"],
    ["authority", bySession, "5 approval policy_not_met"],
    ["passkey", bySession, "5 approval policy_not_met"],
    ["session", byAuthority, "L2 approval succeeded decided_by_authority"],
    ["authority", byAuthority, "L2 approval succeeded decided_by_authority"],
    ["passkey", byAuthority, "5 approval policy_not_met"],
    ["passkey", {}, "L3 approval succeeded"],
    ["authority", {}, "L3 approval succeeded"],
  ] as const)("%s, with %j: %s", async (policy, changes, expected) => {
    expect(await answer({ ...changes, action: limits(policy) })).toBe(expected);
  });

  test("a refusal needs none", async () => {
    const denied = put({ decision: "denied", auth: { method: "session", uv: false } });
    expect(
      await answer({
        action: limits("passkey"),
        approval: denied,
        without: ["passkey", "credential", "receipt"],
      }),
    ).toBe("L2 denial absent");
  });
});

describe("APR-1 a record that needed nobody", () => {
  const unasked = { without: ["approval", "passkey", "credential"] } as const;
  const receipt = put({ approval_digest: undefined, approval_ref: undefined });

  test("its receipt stands by itself and claims no approval", async () => {
    const report = await verifyBundle(await remade({ ...unasked, action: limits("none"), receipt }), TRUST);
    expect(report).toMatchObject({ ok: true, value: { proves: "receipt", receipt: "succeeded" } });
    if (report.ok) expect(report.value.notes).toContain("nobody_asked");
  });

  test.each([["session"], ["passkey"], ["authority"], [undefined], [["none"]]])(
    "under policy %j a commit without an approval is refused",
    async (policy) => {
      expect(await answer({ ...unasked, action: limits(policy as Json), receipt })).toBe(
        "9 receipt committed_without_approval",
      );
    },
  );

  test("a refused record stays refused", async () => {
    const denied = put({ decision: "denied", auth: { method: "session", uv: false } });
    expect(await answer({ ...bySession, action: limits("none"), approval: denied })).toBe(
      "9 receipt committed_without_approval",
    );
  });
});
