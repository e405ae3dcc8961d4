import { err, ok, parseInstant, type Result } from "@countersign/wire";
import type { Core } from "../core.ts";
import { type EvidenceRole, rotateKeys } from "../evidence/rotate.ts";

/** Without a role the pin stays: the approval and the receipt key are the ones that work every day. */
const EVERYDAY: readonly EvidenceRole[] = ["approval", "receipt"];

/** New evidence keys, at the operator's word. `suspect_from` (RFC 3339) says since when the old ones are compromised. */
export async function rotateEvidenceKeys(
  core: Core,
  asked: { readonly role?: EvidenceRole | undefined; readonly suspect_from?: string | undefined },
): Promise<Result<object, "bad_time" | "role_missing">> {
  const suspect = asked.suspect_from === undefined ? undefined : parseInstant(asked.suspect_from);
  if (suspect?.ok === false || (suspect !== undefined && suspect.value > core.now())) return err("bad_time");
  if (suspect !== undefined && asked.role === undefined) return err("role_missing");
  const roles = asked.role === undefined ? EVERYDAY : [asked.role];
  const before = core.keys.pin;
  const made = await rotateKeys(core, { roles, ...(suspect === undefined ? {} : { suspectFrom: suspect.value }) });
  await core.keys.current();
  core.log.info("keys.rotated", { roles: roles.join(" "), version: made.version });
  core.poke();
  return ok({
    version: made.version,
    roles,
    pin: made.pin,
    ...(made.pin === before ? {} : { pin_before: before }),
  });
}
