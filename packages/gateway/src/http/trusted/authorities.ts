import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import {
  countsAt,
  countsFrom,
  type EnrolmentRow,
  enrolAuthority,
  enrolmentInput,
  enrolmentsOf,
  operationsOf,
  parametersOf,
  removeAuthority,
} from "../../approval/enrolments.ts";
import type { Core, Owner } from "../../core.ts";
import type { AuthorityView, EnrolmentView } from "../../trusted/contract.ts";
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
    return ok(view(core, id, await enrolmentsOf(core.store.db, person, core.now())));
  });
  add("POST", "/authorities/:id/remove", async (person, request) => {
    const id = param(request, "id");
    if (!core.authorities.has(id)) return err({ reason: "not_found" });
    await core.store.transaction((tx) => removeAuthority(core, tx, person, id));
    return ok(view(core, id, []));
  });
}

async function views(core: Core, owner: Owner): Promise<readonly AuthorityView[]> {
  const rows = await enrolmentsOf(core.store.db, owner, core.now());
  return [...core.authorities.keys()].map((id) => view(core, id, rows));
}

function view(core: Core, id: string, rows: readonly EnrolmentRow[]): AuthorityView {
  const own = rows.filter((row) => row.authority === id);
  const counting = own.find((row) => countsAt(row, core.now()));
  const settling = own.find((row) => countsFrom(row) > core.now());
  return {
    authority: id,
    title: core.authorities.get(id)?.title ?? id,
    available_operations: [...core.catalogue.values()].flatMap(({ id: operation, title, effect }) =>
      effect === "commit" && isOffered(core, operation) ? [{ id: operation, title, effect }] : [],
    ),
    ...(counting === undefined ? {} : { enrolment: enrolmentView(counting) }),
    ...(settling === undefined ? {} : { settling: enrolmentView(settling) }),
  };
}

/** The catalogue describes more than any destination of this gateway does: what none can do is nothing to choose. */
function isOffered(core: Core, operation: string): boolean {
  return [...core.destinations.values()].some((destination) =>
    [...destination.byRoute.values()].some(({ entry }) => entry.operations.some((o) => o.operation === operation)),
  );
}

function enrolmentView(row: EnrolmentRow): EnrolmentView {
  return {
    label: row.label,
    operations: operationsOf(row),
    parameters: parametersOf(row),
    enrolled_at: formatInstant(row.enrolled_at as Instant),
    counts_from: formatInstant(countsFrom(row) as Instant),
  };
}
