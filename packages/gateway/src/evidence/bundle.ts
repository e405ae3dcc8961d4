import { EARLIER_KEYS_MAX, isTerminal, KEY_SET_BYTES_MAX, keySetRecord } from "@countersign/profile";
import { assert, digestOfText, type JsonObject, parseJws } from "@countersign/wire";
import type { ApprovalRow } from "../approval/rows.ts";
import type { Core } from "../core.ts";
import type { Db } from "../store/store.ts";
import type { TaskRow } from "../tasks/tasks.ts";
import { openText } from "../vault/seal.ts";
import type { LeafKind } from "./log/leaf.ts";
import { proveTogether } from "./log/proofs.ts";
import type { LeafRow } from "./log/waiting.ts";
import { signerOfSet } from "./rotate.ts";
import { storedRecord } from "./sequencer.ts";

/** The newest signed receipt of a task; undefined until the sequencer has signed it. */
export async function latestReceipt(
  core: Core,
  taskId: string,
): Promise<{ readonly receiptId: string; readonly accountSeq: number; readonly jws: string } | undefined> {
  const row = await newestReceiptLeaf(core.store.db, taskId);
  if (row === undefined || row.jws === null || row.account_seq === null) return undefined;
  return { receiptId: row.record_id, accountSeq: row.account_seq, jws: row.jws };
}

async function newestReceiptLeaf(db: Db, taskId: string): Promise<LeafRow | undefined> {
  return db
    .selectFrom("leaf")
    .selectAll()
    .where("task_id", "=", taskId)
    .where("kind", "=", "receipt")
    .orderBy("leaf_id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Everything that an offline verification needs, for the account holder alone: the action, what of its private
 * members is disclosed, the approval, the receipt, the key set, and their places in the log (approval-evidence
 * section 4). Undefined while a part of it still waits for its place: a bundle without it would say less than is known.
 */
export async function buildBundle(
  core: Pick<Core, "store" | "sealer">,
  task: Pick<TaskRow, "task_id" | "action_id" | "state">,
): Promise<JsonObject | undefined> {
  const { db } = core.store;
  const leaf = await newestReceiptLeaf(db, task.task_id);
  if (leaf === undefined ? isTerminal(task.state) : leaf.jws === null) return undefined;
  const receipt = leaf?.jws ?? undefined;
  const action =
    task.action_id === null
      ? undefined
      : await db.selectFrom("action").selectAll().where("action_id", "=", task.action_id).executeTakeFirst();
  const approval =
    action === undefined
      ? undefined
      : await db.selectFrom("approval").selectAll().where("action_id", "=", action.action_id).executeTakeFirst();
  if (receipt === undefined && approval === undefined) return undefined;
  const passkey = approval === undefined ? undefined : await passkeyParts(core, approval);
  const signed = {
    ...(approval === undefined ? {} : { approval: approval.jws }),
    ...(passkey === undefined ? {} : { credential: passkey.credential }),
    ...(receipt === undefined ? {} : { receipt }),
  };
  // Key sets are the gateway's own and belong to no tenant.
  const logged = await core.store.as("system", () => logParts(db, signed));
  if (logged === undefined) return undefined;
  return {
    typ: "countersign.bundle/1",
    ...(action === undefined
      ? {}
      : { action: storedRecord(action.record), disclosures: readDisclosures(core, action) }),
    ...signed,
    ...(passkey === undefined ? {} : { passkey: passkey.passkey }),
    ...logged,
  };
}

type SignedParts = Readonly<Partial<Record<"approval" | "credential" | "receipt", string>>>;

/** The key set, what leads to it from older pins, and where everything stands in the log. */
async function logParts(db: Db, signed: SignedParts): Promise<JsonObject | undefined> {
  const sets = await db.selectFrom("key_set").select("jws").orderBy("version").execute();
  const keys = sets.at(-1)?.jws;
  assert(keys !== undefined, "a gateway has a key set");
  const parts: Readonly<Partial<Record<LeafKind, string>>> = { keys, ...signed };
  const records = await Promise.all(
    (["keys", "credential", "approval", "receipt"] as const).flatMap((kind) => {
      const jws = parts[kind];
      return jws === undefined ? [] : [digestOfText(jws).then((digest) => ({ part: kind, kind, digest }))];
    }),
  );
  const proven = await proveTogether(db, records);
  if (proven === undefined) return undefined;
  const earlier = introductions(sets.map((set) => set.jws));
  const proofs = Object.fromEntries([...proven.proofs].map(([part, { index, path }]) => [part, { index, path }]));
  return {
    keys,
    ...(earlier.length === 0 ? {} : { earlier_keys: earlier }),
    log: { checkpoint: proven.checkpoint, ...proofs },
  };
}

/** The versions that introduced a new log key with the word of the one before it; the newest few of them. */
function introductions(sets: readonly string[]): readonly string[] {
  const found = sets.filter((jws, at) => {
    const next = sets[at + 1];
    if (next === undefined || signerOfSet(jws) === signerOfSet(next)) return false;
    return listedKids(jws).has(signerOfSet(next));
  });
  return found.slice(-EARLIER_KEYS_MAX);
}

function listedKids(jws: string): ReadonlySet<string> {
  const parsed = parseJws(jws, { maxPayloadBytes: KEY_SET_BYTES_MAX });
  assert(parsed.ok, "a stored key set is readable");
  return new Set(keySetRecord.parse(parsed.value.payload).keys.map((key) => key.kid));
}

/** The passkey's answer and the signed record of the passkey itself, where one decided. */
async function passkeyParts(
  core: Pick<Core, "store">,
  approval: ApprovalRow,
): Promise<{ readonly passkey: JsonObject; readonly credential: string } | undefined> {
  if (approval.passkey === null || approval.credential_id === null) return undefined;
  const credential = await core.store.db
    .selectFrom("credential")
    .select("jws")
    .where("credential_id", "=", approval.credential_id)
    .executeTakeFirstOrThrow();
  return { passkey: storedRecord(approval.passkey), credential: credential.jws };
}

/** The salted disclosures of an action's private members, sealed at rest because they are personal. */
export function readDisclosures(
  core: Pick<Core, "sealer">,
  action: { readonly action_id: string; readonly disclosures: Uint8Array },
): readonly string[] {
  const value: unknown = JSON.parse(openText(core.sealer, `disclosures:${action.action_id}`, action.disclosures));
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === "string"))
    throw new Error("stored disclosures are texts");
  return value;
}
