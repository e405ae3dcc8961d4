import { identifier, type Reason } from "@countersign/profile";
import { assert, err, isJsonObject, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { Refusal } from "../admission/refusal.ts";
import type { Core, Owner } from "../core.ts";
import { AUTHORITY_OPERATIONS_MAX, CREDENTIAL_SETTLE_MS, NAME_CHARS_MAX } from "../limits.ts";
import { tell } from "../notify/tell.ts";
import type { Schema } from "../store/schema.ts";
import type { Db, Tx } from "../store/store.ts";

export type EnrolmentRow = Selectable<Schema["authority_enrolment"]>;

/** What the account holder posts to enrol an authority: for which operations it may speak, and its public parameters. */
export const enrolmentInput = z.strictObject({
  operations: z.array(identifier).min(1).max(AUTHORITY_OPERATIONS_MAX),
  parameters: z.record(z.string(), z.json()),
  label: z.string().min(1).max(NAME_CHARS_MAX),
});
export type EnrolmentInput = z.infer<typeof enrolmentInput>;

/**
 * The account holder lets an authority speak for them (APR-3). The enrolment counts only after a day, as a new passkey
 * does, so that whoever takes over a session cannot at once approve by an authority of their own. An earlier enrolment
 * of the same authority that counts goes on until then; one that does not count yet is replaced.
 */
export async function enrolAuthority(
  core: Core,
  owner: Owner,
  authority: string,
  input: EnrolmentInput,
): Promise<Result<undefined, Refusal>> {
  const known = core.authorities.get(authority);
  if (known === undefined) return err({ reason: "not_found" });
  const unknown = input.operations.findIndex((id) => core.catalogue.get(id)?.effect !== "commit");
  if (unknown !== -1)
    return err({
      reason: "invalid_request",
      problems: [{ pointer: `/operations/${unknown}`, rule: "no operation that commits" }],
    });
  const parameters = known.enrol(input.parameters as JsonObject);
  if (!parameters.ok)
    return err({
      reason: "invalid_request",
      problems: [{ pointer: "/parameters", rule: "not what this authority takes" }],
    });
  const now = core.now();
  const row: EnrolmentRow = {
    enrolment_ref: core.newId("enr"),
    tenant_id: owner.tenantId,
    person_id: owner.personId,
    authority,
    operations: JSON.stringify(input.operations),
    parameters: JSON.stringify(parameters.value),
    label: input.label,
    enrolled_at: now,
    removed_at: null,
  };
  return core.store.transaction(async (tx) => {
    for (const earlier of await enrolmentsOf(tx, owner, now)) {
      if (earlier.authority !== authority) continue;
      await endAt(tx, earlier, countsFrom(earlier) <= now ? countsFrom(row) : now);
    }
    await tx.insertInto("authority_enrolment").values(row).execute();
    await tell(core, tx, owner, "authority_enrolled", row.enrolment_ref);
    return ok(undefined);
  });
}

/** From now on nothing that this authority says counts, approvals that it gave and that have not been used included. */
export async function removeAuthority(core: Core, tx: Tx, owner: Owner, authority: string): Promise<void> {
  const now = core.now();
  for (const row of await enrolmentsOf(tx, owner, now)) if (row.authority === authority) await endAt(tx, row, now);
}

async function endAt(tx: Tx, row: EnrolmentRow, at: number): Promise<void> {
  const own = tx.updateTable("authority_enrolment").where("enrolment_ref", "=", row.enrolment_ref);
  await own.set({ removed_at: at }).execute();
}

/** From when on an enrolment counts. */
export function countsFrom(row: Pick<EnrolmentRow, "enrolled_at">): number {
  return row.enrolled_at + CREDENTIAL_SETTLE_MS;
}

/** Whether an enrolment counts at this time. Its end may lie ahead: it goes on until its successor counts. */
export function countsAt(row: Pick<EnrolmentRow, "enrolled_at" | "removed_at">, now: number): boolean {
  return countsFrom(row) <= now && (row.removed_at === null || row.removed_at > now);
}

/** What has not ended: for each authority at most one that counts and one that is still to count. */
export async function enrolmentsOf(db: Db, owner: Owner, now: number): Promise<readonly EnrolmentRow[]> {
  return db
    .selectFrom("authority_enrolment")
    .selectAll()
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .where((w) => w.or([w("removed_at", "is", null), w("removed_at", ">", now)]))
    .orderBy("enrolled_at")
    .execute();
}

/** The enrolment of an authority by this person that counts now, for this operation. */
export async function findEnrolment(
  db: Db,
  owner: Owner,
  authority: string,
  operation: string,
  now: number,
): Promise<EnrolmentRow | undefined> {
  const counting = (await enrolmentsOf(db, owner, now)).filter((e) => e.authority === authority && countsAt(e, now));
  assert(counting.length <= 1, "one enrolment of an authority counts at a time");
  const [row] = counting;
  return row !== undefined && operationsOf(row).includes(operation) ? row : undefined;
}

export function operationsOf(row: EnrolmentRow): readonly string[] {
  return z.array(z.string()).parse(JSON.parse(row.operations));
}

export function parametersOf(row: EnrolmentRow): JsonObject {
  const parsed = parseJson(row.parameters);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error("stored parameters are an object");
  return parsed.value;
}

/** The reasons with which an authority's word is turned away. */
export type AuthorityProblem = Extract<
  Reason,
  "authority_not_enrolled" | "authority_unavailable" | "evidence_refused" | "evidence_denied" | "evidence_used"
>;
