import { identifier, type Reason } from "@countersign/profile";
import { err, isJsonObject, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { Refusal } from "../admission/refusal.ts";
import type { Core, Owner } from "../core.ts";
import { AUTHORITY_OPERATIONS_MAX, NAME_CHARS_MAX } from "../limits.ts";
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

/** The account holder lets an authority speak for them (APR-3); an earlier enrolment of the same one is replaced. */
export async function enrolAuthority(
  core: Core,
  owner: Owner,
  authority: string,
  input: EnrolmentInput,
): Promise<Result<EnrolmentRow, Refusal>> {
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
  const row: EnrolmentRow = {
    enrolment_ref: core.newId("enr"),
    tenant_id: owner.tenantId,
    person_id: owner.personId,
    authority,
    operations: JSON.stringify(input.operations),
    parameters: JSON.stringify(parameters.value),
    label: input.label,
    enrolled_at: core.now(),
    removed_at: null,
  };
  return core.store.transaction(async (tx) => {
    await removeAuthority(core, tx, owner, authority);
    await tx.insertInto("authority_enrolment").values(row).execute();
    return ok(row);
  });
}

/** From now on nothing that this authority says counts, approvals that it gave and that have not been used included. */
export async function removeAuthority(core: Core, tx: Tx, owner: Owner, authority: string): Promise<void> {
  await tx
    .updateTable("authority_enrolment")
    .set({ removed_at: core.now() })
    .where("person_id", "=", owner.personId)
    .where("tenant_id", "=", owner.tenantId)
    .where("authority", "=", authority)
    .where("removed_at", "is", null)
    .execute();
}

export async function enrolmentsOf(db: Db, owner: Owner): Promise<readonly EnrolmentRow[]> {
  return db
    .selectFrom("authority_enrolment")
    .selectAll()
    .where("tenant_id", "=", owner.tenantId)
    .where("person_id", "=", owner.personId)
    .where("removed_at", "is", null)
    .execute();
}

/** The living enrolment of an authority by this person, for this operation. */
export async function findEnrolment(
  db: Db,
  owner: Owner,
  authority: string,
  operation: string,
): Promise<EnrolmentRow | undefined> {
  const row = (await enrolmentsOf(db, owner)).find((enrolment) => enrolment.authority === authority);
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
