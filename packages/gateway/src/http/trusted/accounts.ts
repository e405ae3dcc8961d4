import { ENTERED_KINDS, enteredProblems, labelTells } from "@countersign/profile";
import { checkRecord, err, formatInstant, type Instant, type JsonObject, ok } from "@countersign/wire";
import { z } from "zod";
import { type AccountRow, addAccount, connectionsOf, findAccount, listAccounts } from "../../connection/accounts.ts";
import { openContinuation } from "../../connection/continuations.ts";
import { addDetail, listDetails, ownDetails, removeDetail } from "../../connection/details.ts";
import { disconnect, giveBack } from "../../connection/give-back.ts";
import type { Core } from "../../core.ts";
import { DETAIL_BYTES_MAX, NAME_CHARS_MAX } from "../../limits.ts";
import type { AccountView, ConnectionView, DestinationView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { type AddRoute, param } from "./trusted.ts";

const connectBody = z.strictObject({
  destination: z.string().min(1).max(NAME_CHARS_MAX),
  route: z.string().min(1).max(NAME_CHARS_MAX),
  account_ref: z.string().max(100).optional(),
});
const FIELDS_MAX = 20;
const detailBody = z.strictObject({
  kind: z.enum(ENTERED_KINDS),
  label: z.string().min(1).max(NAME_CHARS_MAX),
  value: z
    .record(z.string().regex(/^[a-z0-9_]{1,40}$/), z.string().max(500))
    .refine((v) => Object.keys(v).length <= FIELDS_MAX, `at most ${FIELDS_MAX} fields`),
});

export function registerAccounts(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/destinations", async () => {
    const destinations = [...core.destinations.values()].map(
      (d): DestinationView => ({ id: d.id, title: d.title, origin: d.origin, routes: [...d.byRoute.keys()] }),
    );
    return ok({ destinations });
  });
  add("GET", "/accounts", async (person) => {
    const rows = await listAccounts(core.store.db, person);
    return ok({ accounts: await Promise.all(rows.map((row) => view(core, row))) });
  });
  add("POST", "/connections", async (person, request) => {
    const body = readBody(request, connectBody);
    if (!body.ok) return body;
    const { destination, route, account_ref: accountRef } = body.value;
    const known = core.destinations.get(destination);
    if (known === undefined || ![...known.byRoute.keys()].some((kind) => kind === route))
      return err({ reason: "not_found" });
    return core.store.transaction(async (tx) => {
      const account =
        accountRef === undefined
          ? await addAccount(core, tx, person, destination)
          : await findAccount(tx, person, accountRef);
      if (account === undefined || account.destination !== destination) return err({ reason: "not_found" });
      const continuation = await openContinuation(core, tx, {
        ...person,
        accountRef: account.account_ref,
        route,
        kind: "connect",
      });
      return ok({ continuation_ref: continuation.continuation_ref, account_ref: account.account_ref });
    });
  });
  add("POST", "/accounts/:ref/details", async (person, request) => {
    const body = readBody(request, detailBody);
    if (!body.ok) return body;
    const value: JsonObject = body.value.value;
    if (!checkRecord(value, { maxBytes: DETAIL_BYTES_MAX }).ok) {
      return err({
        reason: "invalid_request",
        problems: [{ pointer: "/value", rule: `plain text, at most ${DETAIL_BYTES_MAX} bytes together` }],
      });
    }
    const { kind, label } = body.value;
    // What was typed is not repeated: only which field, and why.
    const refused = enteredProblems(kind, body.value.value);
    const problems = refused.map(({ field, problem }) => ({ pointer: `/value/${field}`, rule: problem as string }));
    if (labelTells(kind, label, body.value.value)) problems.push({ pointer: "/label", rule: "label_tells" });
    if (problems.length > 0) return err({ reason: "invalid_request", problems });
    const account = await findAccount(core.store.db, person, param(request, "ref"));
    if (account === undefined) return err({ reason: "not_found" });
    return ok({ ref: await addDetail(core, core.store.db, account.account_ref, { kind, label, value }) });
  });
  add("POST", "/accounts/:ref/details/:detail/remove", async (person, request) => {
    const account = await findAccount(core.store.db, person, param(request, "ref"));
    const removed =
      account !== undefined && (await removeDetail(core.store.db, account.account_ref, param(request, "detail")));
    return removed ? ok(undefined) : err({ reason: "not_found" });
  });
  add("POST", "/accounts/:ref/disconnect", async (person, request) => {
    const done = await core.store.transaction(async (tx) => {
      const account = await findAccount(tx, person, param(request, "ref"));
      return account === undefined ? undefined : { account, ended: await disconnect(core, tx, account) };
    });
    if (done === undefined) return err({ reason: "not_found" });
    // The person is not kept waiting for a site that may be away.
    void giveBack(core, done.account, done.ended);
    return ok(undefined);
  });
}

/** A broken connection says what to do about it, and breaks no other (U43). */
const CONNECTION_NEXT_STEP = {
  reauthentication_required: "Sign in at the site again; tasks that wait for it then go on.",
  disconnected: "Connect the account again if agents are to use it; until then nothing is done there.",
} as const;

async function view(core: Core, row: AccountRow): Promise<AccountView> {
  const destination = core.destinations.get(row.destination);
  const connections = await connectionsOf(core.store.db, row.account_ref);
  const own = await ownDetails(core.store.db, row.account_ref);
  return {
    account_ref: row.account_ref,
    destination: row.destination,
    destination_title: destination?.title ?? row.destination,
    origin: destination?.origin ?? "",
    name: row.name,
    connections: connections.map(
      (c): ConnectionView => ({
        route: c.route,
        state: c.state,
        ...(c.reason === null ? {} : { reason: c.reason }),
        ...(c.state === "connected" ? {} : { next_step: CONNECTION_NEXT_STEP[c.state] }),
        ...(c.verified_at === null ? {} : { verified_at: formatInstant(c.verified_at as Instant) }),
      }),
    ),
    details: (await listDetails(core.store.db, row.account_ref)).map((d) => ({ ...d, own: own.has(d.ref) })),
  };
}
