import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type VerifyOptions, verifyBundle } from "@countersign/profile";
import { assert, digestOfBytes, digestOfText, type Json, type JsonObject, parseJws } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enrolCredential, revokeCredential } from "../packages/gateway/src/approval/credentials.ts";
import { orderRequest } from "./support/agent.ts";
import { makeAuthenticator } from "./support/authenticator.ts";
import { send, until } from "./support/http.ts";
import { readyWorld } from "./support/world.ts";

const MAIN = fileURLToPath(new URL("../packages/countersign/src/main.ts", import.meta.url));
const LOG = "/.well-known/countersign-log";

let ready: Awaited<ReturnType<typeof readyWorld>>;
let dir: string;
let pin: string;
/** A bought lamp, decided in a session; and the same, decided with a passkey. */
let bought: { readonly taskId: string; readonly bundle: JsonObject };
let countersigned: { readonly taskId: string; readonly bundle: JsonObject };

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "countersign-evidence-"));
  ready = await readyWorld();
  pin = ready.world.gateway.core.keys.pin;
  bought = await buy({});
  countersigned = await buyWithPasskey();
});
afterAll(async () => {
  await ready.world.close();
  rmSync(dir, { recursive: true, force: true });
});

async function submit(change: JsonObject = {}): Promise<string> {
  const reply = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  assert(reply.status === 201, `a task is made: ${reply.text}`);
  return String(reply.json["task_id"]);
}

async function bundleOf(taskId: string): Promise<JsonObject> {
  const reply = await until(
    () => ready.person.get(`/tasks/${taskId}/bundle`),
    (r) => r.status === 200,
    "the bundle",
  );
  return reply.json;
}

async function buy(more: JsonObject, change: JsonObject = {}) {
  const taskId = await submit(change);
  await ready.agent.reaches(taskId, "approval_required");
  await ready.person.decide(await ready.person.approvalFor(taskId), "approved", more);
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  return { taskId, bundle: await bundleOf(taskId) };
}

async function buyWithPasskey() {
  const { core, owner } = ready.world.gateway;
  const authenticator = await makeAuthenticator(ready.world.issuer);
  const { credentialId, publicKey } = authenticator;
  const enrolled = await core.store.as("system", () =>
    enrolCredential(core, owner, {
      credentialId,
      publicKey,
      rpId: "localhost",
      origin: ready.world.issuer,
      attestation: "none",
      label: "Laptop",
      standing: "confirmed",
    }),
  );
  assert(enrolled.ok, "a passkey is enrolled");
  const taskId = await submit({ parameters: { max_total_minor: 5998 } });
  await ready.agent.reaches(taskId, "approval_required");
  const view = await ready.person.approvalFor(taskId);
  const action = view["action"] as { private: { display_text: string } };
  const surface = { version: "test", display_digest: action.private.display_text, build_digest: "A".repeat(43) };
  const passkey = await authenticator.answer(String(view["action_digest"]));
  await ready.person.decide(view, "approved", { surface, passkey });
  expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
  return { taskId, bundle: await bundleOf(taskId) };
}

/** `L3 approval succeeded`, or step, part and code of the refusal. */
async function answer(bundle: Json, options: Partial<VerifyOptions> = {}): Promise<string> {
  const report = await verifyBundle(bundle, { pin, issuer: ready.world.issuer, ...options });
  if (!report.ok) return `${report.reason.step} ${report.reason.part} ${report.reason.code}`;
  const { level, proves, receipt } = report.value;
  return `${level} ${proves} ${receipt}`;
}

function payloadOf(jws: Json | undefined): JsonObject {
  const parsed = parseJws(String(jws), { maxPayloadBytes: 64 * 1024 });
  assert(parsed.ok, "a part is a JWS");
  return parsed.value.payload;
}

function countersign(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (part: Buffer) => {
      out += part.toString("utf8");
    });
    child.stderr.on("data", (part: Buffer) => {
      err += part.toString("utf8");
    });
    child.once("exit", (code) => resolve({ code, out, err }));
  });
}

const fetchLog = (path: string) => send(ready.world.issuer, "GET", `${LOG}${path}`, {});
const copy = (bundle: JsonObject): JsonObject => JSON.parse(JSON.stringify(bundle)) as JsonObject;

describe("APR-7 the account holder's bundle of a real purchase", () => {
  it("is L2 when decided in a session, L3 when decided with a passkey", async () => {
    expect(await answer(bought.bundle)).toBe("L2 approval succeeded");
    expect(await answer(countersigned.bundle)).toBe("L3 approval succeeded");
    const report = await verifyBundle(countersigned.bundle, { pin, issuer: ready.world.issuer });
    expect(report).toMatchObject({ ok: true, value: { display: "checked", notes: [] } });
  });

  it("has the approval in the log before anything was sent, and the receipt after it", async () => {
    const log = countersigned.bundle["log"] as Record<string, { index: number }>;
    const indexes = ["credential", "approval", "receipt"].map((part) => log[part]?.index ?? -1);
    expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
    const { store } = ready.world.gateway.core;
    const row = await store.as("system", () =>
      store.db
        .selectFrom("submission")
        .innerJoin("leaf", "leaf.task_id", "submission.task_id")
        .select(["submission.submitted_at", "leaf.sequenced_at"])
        .where("submission.task_id", "=", bought.taskId)
        .where("leaf.kind", "=", "approval")
        .executeTakeFirstOrThrow(),
    );
    expect(Number(row.sequenced_at)).toBeLessThanOrEqual(row.submitted_at);
  });

  it("nothing is sent while its approval has no place in the log (append before acting)", async () => {
    const { store } = ready.world.gateway.core;
    const lease = (change: { owner?: string; until: number }) =>
      store.as("system", () =>
        store.transaction((tx) =>
          tx
            .updateTable("lease")
            .set({ ...change, fence: 1_000_000 })
            .execute(),
        ),
      );
    const { submits } = ready.world.shop.control.counters();
    const taskId = await submit({ parameters: { max_total_minor: 5994 } });
    await ready.agent.reaches(taskId, "approval_required");
    const view = await ready.person.approvalFor(taskId);
    // Another process has the log, and does not get on with it.
    await lease({ owner: "stuck", until: Date.now() + 600_000 });
    expect((await ready.person.decide(view, "approved")).status).toBe(200);
    await until(
      async () => ready.world.logLines.join("\n"),
      (lines) => lines.includes("commit.approval_not_logged"),
      "the commit to wait for the log",
    );
    expect(ready.world.shop.control.counters().submits).toBe(submits);
    await lease({ until: 0 });
    expect(await ready.agent.reaches(taskId)).toMatchObject({ state: "succeeded" });
    expect(ready.world.shop.control.counters().submits).toBe(submits + 1);
  });

  it("has only the members that an outcome can have (REC-1)", async () => {
    const denied = await submit({ parameters: { max_total_minor: 5997 } });
    await ready.agent.reaches(denied, "approval_required");
    await ready.person.decide(await ready.person.approvalFor(denied), "denied");
    const refusal = await bundleOf(denied);
    expect(await answer(refusal)).toBe("L2 denial denied");
    expect(payloadOf(refusal["receipt"])).not.toHaveProperty("destination");

    const over = await submit({ parameters: { max_total_minor: 4989 } });
    await ready.agent.reaches(over);
    const early = await bundleOf(over);
    expect(await answer(early)).toBe("L2 receipt denied");
    expect(Object.keys(early).sort()).toEqual(["keys", "log", "receipt", "typ"]);

    const read = await ready.agent.post("/v1/tasks", {
      ...orderRequest(ready),
      operation: "retail.orders.list",
      parameters: { limit: 5 },
    });
    const readId = String(read.json["task_id"]);
    await ready.agent.reaches(readId);
    const receipt = await bundleOf(readId);
    expect(await answer(receipt)).toBe("L2 receipt succeeded");
    expect(Object.keys(receipt).sort()).toEqual(["keys", "log", "receipt", "typ"]);
    expect(payloadOf(receipt["receipt"])).not.toHaveProperty("action_digest");
  });

  const TAMPERED: readonly (readonly [string, (bundle: JsonObject) => JsonObject, string])[] = [
    ["a higher total", (b) => edit(b, ["action", "terms", "total_minor"], 4991), "5 approval digest_differs"],
    ["another quantity", (b) => edit(b, ["action", "parameters", "quantity"], 2), "5 approval digest_differs"],
    ["another holder", (b) => edit(b, ["action", "account_holder"], "psn_other"), "5 approval digest_differs"],
    ["an added member", (b) => edit(b, ["action", "priority"], 1), "1 action not_this_record"],
    ["the passkey left out", ({ passkey: _, ...b }) => b, "7 passkey passkey_missing"],
    ["the credential left out", ({ credential: _, ...b }) => b, "7 credential passkey_missing"],
    ["the receipt left out, not its proof", ({ receipt: _, ...b }) => b, "8 receipt proof_unexpected"],
    ["the approval in the receipt's place", (b) => ({ ...b, receipt: b["approval"] ?? "" }), "1 receipt wrong_kind"],
    ["one bit of the receipt's signature", (b) => flip(b, "receipt"), "9 receipt bad_signature"],
    ["one bit of the approval's signature", (b) => flip(b, "approval"), "5 approval bad_signature"],
    ["one bit of the key set's signature", (b) => flip(b, "keys"), "2 keys bad_signature"],
    ["another task's receipt", (b) => ({ ...b, receipt: bought.bundle["receipt"] ?? "" }), "8 receipt not_in_log"],
    ["another index", (b) => edit(b, ["log", "approval", "index"], 0), "8 approval not_in_log"],
    ["a proof left out", (b) => edit(b, ["log", "approval"], undefined), "8 approval proof_missing"],
    ["a disclosure of another task", withStrangeDisclosure, "6 disclosures disclosure_unknown"],
    ["an earlier checkpoint", withEarlierCheckpoint, "8 keys not_in_log"],
  ];
  it.each(TAMPERED)("does not hold with %s", async (_what, change, expected) => {
    expect(await answer(change(copy(countersigned.bundle)))).toBe(expected);
  });

  it("holds with its members in another order, with a text withheld, and without a receipt", async () => {
    const { receipt: _, log, ...rest } = countersigned.bundle;
    const { receipt: __, ...proofs } = log as JsonObject;
    expect(await answer({ ...rest, log: proofs })).toBe("L3 approval absent");
    const action = Object.fromEntries(Object.entries(countersigned.bundle["action"] as JsonObject).reverse());
    expect(await answer({ ...countersigned.bundle, action })).toBe("L3 approval succeeded");
    const withheld = await verifyBundle(
      { ...countersigned.bundle, disclosures: [] },
      { pin, issuer: ready.world.issuer },
    );
    expect(withheld).toMatchObject({ ok: true, value: { level: "L3", display: "withheld" } });
  });
});

function edit(bundle: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [member, ...rest] = path;
  assert(member !== undefined, "a path has a member");
  const { [member]: present, ...others } = bundle;
  if (rest.length === 0) return value === undefined ? others : { ...others, [member]: value };
  return { ...others, [member]: edit(present as JsonObject, rest, value) };
}

function flip(bundle: JsonObject, part: string): JsonObject {
  const [header, payload, signature = ""] = String(bundle[part]).split(".");
  const bytes = Buffer.from(signature, "base64url");
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  return { ...bundle, [part]: `${header}.${payload}.${bytes.toString("base64url")}` };
}

function withStrangeDisclosure(bundle: JsonObject): JsonObject {
  return { ...bundle, disclosures: bought.bundle["disclosures"] ?? [] };
}

function withEarlierCheckpoint(bundle: JsonObject): JsonObject {
  const { checkpoint } = bought.bundle["log"] as JsonObject;
  return edit(bundle, ["log", "checkpoint"], checkpoint);
}

describe("REC-4 the log", () => {
  it("proves to whoever kept an earlier bundle that it only grew since", async () => {
    const held = String((bought.bundle["log"] as JsonObject)["checkpoint"]);
    const later = String((countersigned.bundle["log"] as JsonObject)["checkpoint"]);
    const [from, to] = [payloadOf(held)["size"], payloadOf(later)["size"]];
    const proof = await fetchLog(`/consistency?from=${String(from)}&to=${String(to)}`);
    expect(proof.json).toMatchObject({ from, to });
    const consistency = proof.json["consistency"] as string[];
    const olderCheckpoint = { checkpoint: held, consistency };
    const report = await verifyBundle(countersigned.bundle, { pin, issuer: ready.world.issuer, olderCheckpoint });
    expect(report).toMatchObject({ ok: true, value: { notes: ["held_checkpoint_consistent"] } });
    const wrong = { checkpoint: held, consistency: [...consistency].reverse() };
    expect(await answer(countersigned.bundle, { olderCheckpoint: wrong })).toBe("3 log log_inconsistent");
  });

  it("by the command: with the proof in a file, without it told where to get it", async () => {
    const [bundle, earlier, proof] = ["b.json", "earlier.json", "proof.json"].map((name) => join(dir, name));
    assert(bundle !== undefined && earlier !== undefined && proof !== undefined, "three files");
    writeFileSync(bundle, JSON.stringify(countersigned.bundle));
    writeFileSync(earlier, JSON.stringify(bought.bundle));
    const trust = ["--pin", pin, "--issuer", ready.world.issuer];
    const asked = await countersign("verify", bundle, ...trust, "--checkpoint", earlier);
    const url = /https?:\S+/.exec(asked.err)?.[0];
    expect([asked.code, url?.startsWith(`${ready.world.issuer}${LOG}/consistency?from=`)]).toEqual([1, true]);
    const path = (url ?? "").slice(ready.world.issuer.length + LOG.length);
    writeFileSync(proof, (await fetchLog(path)).text);
    const good = await countersign("verify", bundle, ...trust, "--checkpoint", earlier, "--consistency", proof);
    expect(good.out).toContain("L3: signed by the account holder's enrolled passkey");
    expect(good.out).toContain("the log only grew since the checkpoint that you hold");
    expect(good.code).toBe(0);
    writeFileSync(proof, JSON.stringify({ consistency: [] }));
    const bad = await countersign(
      "verify",
      bundle,
      ...trust,
      "--checkpoint",
      earlier,
      "--consistency",
      proof,
      "--json",
    );
    expect([bad.code, JSON.parse(bad.out).refusal.code]).toEqual([1, "log_inconsistent"]);
    expect(bad.err).toContain("ALARM");
    const same = await countersign("verify", bundle, ...trust, "--checkpoint", bundle);
    expect([same.code, same.out.includes("only grew")]).toEqual([0, true]);
  });

  it("tells anybody the place of a record whose digest they know, and nothing to whoever asks wrongly", async () => {
    const digest = await digestOfText(String(bought.bundle["receipt"]));
    const found = await fetchLog(`/inclusion?kind=receipt&digest=${digest}`);
    expect(found.json).toMatchObject({ kind: "receipt", digest, index: expect.any(Number), path: expect.any(Array) });
    const newest = await fetchLog("/checkpoint");
    expect(payloadOf(newest.json["checkpoint"])).toMatchObject({ log: `${ready.world.issuer}${LOG}` });
    const size = Number(payloadOf(newest.json["checkpoint"])["size"]);
    const wrong: readonly (readonly [string, number])[] = [
      ["/inclusion?kind=receipt&digest=short", 400],
      [`/inclusion?kind=account&digest=${digest}`, 400],
      [`/inclusion?kind=approval&digest=${digest}`, 404],
      [`/inclusion?kind=receipt&digest=${digest}&digest=${digest}`, 400],
      ["/consistency", 400],
      ["/consistency?from=0", 400],
      ["/consistency?from=1e3", 400],
      ["/consistency?from=1&more=1", 400],
      [`/consistency?from=${size + 1_000}`, 404],
      [`/consistency?from=1&to=${size + 1_000}`, 404],
      ["/consistency?from=9007199254740993", 400],
      ["/consistency?from=2&to=1", 404],
    ];
    for (const [path, status] of wrong) expect([path, (await fetchLog(path)).status]).toEqual([path, status]);
    expect((await fetchLog("/consistency?from=1")).json["consistency"]).toEqual(expect.any(Array));
  });

  it("says since when a grant, a passkey or an approval counts no more", async () => {
    const taken = await submit({ parameters: { max_total_minor: 5996 } });
    await ready.agent.reaches(taken, "approval_required");
    ready.world.shop.control.delay(1_500, { at: "page" });
    await ready.person.decide(await ready.person.approvalFor(taken), "approved");
    await ready.person.post(`/tasks/${taken}/withdraw`);
    ready.world.shop.control.clear("delay");
    const { core, owner } = ready.world.gateway;
    const passkey = String((countersigned.bundle["passkey"] as JsonObject)["credential_id"]);
    await core.store.as("system", () => core.store.transaction((tx) => revokeCredential(core, tx, owner, passkey)));
    const asked = await ready.agent.askGrant({ destination: "practice-shop", operations: ["retail.orders.list"] });
    await ready.person.grant(asked, ready.accountRef);
    await ready.person.post(`/consents/${asked}/revoke`);
    const { store } = core;
    const revocations = () =>
      store.as("system", () => store.db.selectFrom("leaf").select("jws").where("kind", "=", "revocation").execute());
    const rows = await until(
      revocations,
      (found) => found.length > 2 && found.every((row) => row.jws !== null),
      "the revocations to be logged",
    );
    const told = rows.map((row) => payloadOf(row.jws));
    expect(told).toContainEqual(expect.objectContaining({ what: "consent", ref: asked }));
    expect(told).toContainEqual(expect.objectContaining({ what: "credential", ref: passkey }));
    const withdrawn = payloadOf((await bundleOf(taken))["approval"]);
    expect(told).toContainEqual(expect.objectContaining({ what: "approval", ref: String(withdrawn["approval_ref"]) }));
    const digest = await digestOfText(rows[0]?.jws ?? "");
    expect((await fetchLog(`/inclusion?kind=revocation&digest=${digest}`)).status).toBe(200);
  });
});

describe("REC-3 a merchant's own record", () => {
  it("is kept byte for byte, labelled, named in the gateway's receipt, and for the account holder alone", async () => {
    const list = await ready.person.get(`/tasks/${bought.taskId}/records`);
    const [record, ...others] = list.json["records"] as JsonObject[];
    expect(others).toEqual([]);
    expect(record).toMatchObject({ source: "merchant", kind: "order_confirmation", media_type: "application/json" });
    const receipt = payloadOf(bought.bundle["receipt"]);
    expect(receipt["source"]).toBe("gateway");
    expect(receipt["merchant_records"]).toEqual([
      { kind: "order_confirmation", sha256: record?.["sha256"], signature_checked: false },
    ]);
    const kept = await ready.person.get(`/tasks/${bought.taskId}/records/${String(record?.["record_id"])}`);
    expect(await digestOfBytes(new TextEncoder().encode(kept.text))).toBe(record?.["sha256"]);
    const { confirmation } = receipt["destination"] as JsonObject;
    expect(JSON.parse(kept.text)).toMatchObject({ number: confirmation, total_minor: 4990 });
    // A download, never a page of the trusted interface's own origin.
    expect(kept.headers["content-type"]).toBe("application/octet-stream");
    expect(String(kept.headers["content-disposition"])).toMatch(/^attachment/);
    expect(
      (await ready.person.get(`/tasks/${countersigned.taskId}/records/${String(record?.["record_id"])}`)).status,
    ).toBe(404);
    const asAgent = await ready.agent.get(`/trusted/v1/tasks/${bought.taskId}/records`);
    expect(asAgent.status).toBeGreaterThanOrEqual(400);
  });

  it("REC-2 the receipt names the site's answer by its hash, and holds nothing of it", async () => {
    const receipt = payloadOf(bought.bundle["receipt"]);
    expect(receipt["evidence"]).toEqual([
      {
        kind: "response",
        media_type: "application/json",
        sha256: expect.stringMatching(/^[\w-]{43}$/),
        bytes: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(receipt)).not.toMatch(/Harbour|Alex/);
  });
});

// Last, because the pin changes.
describe("REC-4 the operator changes keys under a running gateway", () => {
  it("keys rotate: bundles go on verifying under the pin that was published, and under the new one", async () => {
    const data = ["--data", ready.world.dataDir];
    const everyday = await countersign("keys", "rotate", ...data);
    expect([everyday.code, everyday.out.includes(`The pin stays ${pin}`)]).toEqual([0, true]);
    const rotated = await countersign("keys", "rotate", "--role", "log", ...data);
    const next = /The pin is {2}(\S+)\./.exec(rotated.out)?.[1];
    assert(next !== undefined, `the new pin is told: ${rotated.out}${rotated.err}`);
    expect(next).not.toBe(pin);
    const after = await buy({}, { parameters: { max_total_minor: 5995 } });
    expect(await answer(after.bundle)).toBe("L2 approval succeeded");
    expect(await answer(after.bundle, { pin: next })).toBe("L2 approval succeeded");
    expect(await answer(await bundleOf(bought.taskId), { pin: next })).toBe("L2 approval succeeded");
    expect(await answer(bought.bundle)).toBe("L2 approval succeeded");
    const newest = await send(ready.world.issuer, "GET", "/.well-known/countersign-keys", {});
    let jws = newest.text;
    for (let version = Number(payloadOf(jws)["version"]); version > 1; version -= 1) {
      const { prev } = payloadOf(jws);
      const byDigest = await send(ready.world.issuer, "GET", `/.well-known/countersign-keys/${String(prev)}`, {});
      const byNumber = await send(ready.world.issuer, "GET", `/.well-known/countersign-keys/${version - 1}`, {});
      expect(byDigest.text).toBe(byNumber.text);
      jws = byDigest.text;
      expect(await digestOfText(jws)).toBe(prev);
    }
    expect((await send(ready.world.issuer, "GET", "/.well-known/countersign-keys/99", {})).status).toBe(404);
    const wrong = await countersign("keys", "rotate", "--suspect-from", "2026-01-01T00:00:00Z", ...data);
    expect([wrong.code, wrong.err.includes("--role")]).toEqual([2, true]);
    const future = await countersign(
      ...["keys", "rotate", "--role", "receipt", "--suspect-from", "2199-01-01T00:00:00Z"],
      ...data,
    );
    expect([future.code, future.err.includes("a time that has passed")]).toEqual([1, true]);
  });
});
