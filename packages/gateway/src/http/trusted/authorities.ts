import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import {
  type EnrolmentRow,
  enrolAuthority,
  enrolmentInput,
  enrolmentsOf,
  operationsOf,
  parametersOf,
  removeAuthority,
} from "../../approval/enrolments.ts";
import type { Core, Owner } from "../../core.ts";
import type { AuthorityView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { type AddRoute, param } from "./trusted.ts";

/** The outside authorities that the account holder lets speak for them: theirs to enrol and to remove, nobody else's. */
export function registerAuthorities(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/authorities", async (person) => ok({ authorities: await views(core, person) }));
  add("POST", "/authorities/:id/enrol", async (person, request) => {
    const body = readBody(request, enrolmentInput);
    if (!body.ok) return body;
    const id = param(request, "id");
    const enrolled = await enrolAuthority(core, person, id, body.value);
    if (!enrolled.ok) return enrolled;
    core.log.info("authority.enrolled", { authority: id, person: person.personId });
    return ok(view(core, id, enrolled.value));
  });
  add("POST", "/authorities/:id/remove", async (person, request) => {
    const id = param(request, "id");
    if (!core.authorities.has(id)) return err({ reason: "not_found" });
    await core.store.transaction((tx) => removeAuthority(core, tx, person, id));
    return ok(view(core, id, undefined));
  });
}

async function views(core: Core, owner: Owner): Promise<readonly AuthorityView[]> {
  const rows = await enrolmentsOf(core.store.db, owner);
  return [...core.authorities.keys()].map((id) =>
    view(
      core,
      id,
      rows.find((row) => row.authority === id),
    ),
  );
}

function view(core: Core, id: string, row: EnrolmentRow | undefined): AuthorityView {
  const title = core.authorities.get(id)?.title ?? id;
  if (row === undefined) return { authority: id, title };
  return {
    authority: id,
    title,
    enrolment: {
      label: row.label,
      operations: operationsOf(row),
      parameters: parametersOf(row),
      enrolled_at: formatInstant(row.enrolled_at as Instant),
    },
  };
}
