import type { Reason } from "@countersign/profile";
import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { type CredentialRow, listCredentials, usableFrom } from "../../approval/credentials.ts";
import type { Core } from "../../core.ts";
import { NAME_CHARS_MAX, PERSON_SESSION_LIFE_MS } from "../../limits.ts";
import { assertionAnswer, registrationAnswer } from "../../people/ceremony.ts";
import {
  beginConfirmation,
  beginEnrolment,
  finishConfirmation,
  finishEnrolment,
  type Renewed,
  removePasskey,
  renamePasskey,
  wouldCountAtOnce,
} from "../../people/passkeys.ts";
import { listSessions, type PersonSession } from "../../people/sessions.ts";
import { listSignInEvents, SIGN_IN_EVENTS_SHOWN, seenSignInEvents } from "../../people/sign-in-events.ts";
import type { PasskeysView, PasskeyView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { setSessionCookie } from "./guard.ts";
import { deviceOf } from "./sign-in.ts";
import type { AddRoute } from "./trusted.ts";

const label = z.string().trim().min(1).max(NAME_CHARS_MAX);
const credentialId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/);
const named = z.strictObject({ credential_id: credentialId });
const renamed = z.strictObject({ credential_id: credentialId, label });
const enrolled = z.strictObject({ label, answer: registrationAnswer });
const confirmed = z.strictObject({ answer: assertionAnswer });
const seen = z.strictObject({ event_ids: z.array(z.string().min(1).max(100)).max(SIGN_IN_EVENTS_SHOWN) });

const at = (ms: number) => formatInstant(ms as Instant);

const PROBLEMS = {
  refused: "passkey_refused",
  conflict: "conflict",
  too_many: "rate_limited",
  not_found: "not_found",
} as const satisfies Readonly<Record<string, Reason>>;
const refusal = (why: keyof typeof PROBLEMS) => err({ reason: PROBLEMS[why] });

/** "Your sign-in": the person's passkeys and signed-in browsers, and what happened with them. */
export function registerPasskeys(add: AddRoute, { core }: ServerParts): void {
  add("GET", "/passkeys", async (person, request) => ok(await overview(core, person, deviceOf(request))));
  add("POST", "/passkeys/begin", async (person) => {
    const options = await beginEnrolment(core, person);
    return options.ok ? ok({ options: options.value }) : refusal(options.reason);
  });
  add("POST", "/passkeys/finish", async (person, request, reply) => {
    const body = readBody(request, enrolled);
    if (!body.ok) return body;
    const made = await finishEnrolment(core, person, body.value.label, body.value.answer);
    return made.ok ? renewed(core, reply, made.value) : refusal(made.reason);
  });
  add("POST", "/passkeys/confirm/begin", async (person, request) => {
    const body = readBody(request, named);
    if (!body.ok) return body;
    const options = await beginConfirmation(core, person, body.value.credential_id);
    return options.ok ? ok({ options: options.value }) : refusal(options.reason);
  });
  add("POST", "/passkeys/confirm/finish", async (person, request, reply) => {
    const body = readBody(request, confirmed);
    if (!body.ok) return body;
    const done = await finishConfirmation(core, person, body.value.answer);
    return done.ok ? renewed(core, reply, done.value) : refusal(done.reason);
  });
  add("POST", "/passkeys/rename", async (person, request) => {
    const body = readBody(request, renamed);
    if (!body.ok) return body;
    const row = await renamePasskey(core, person, body.value.credential_id, body.value.label);
    return row.ok ? ok(view(core, row.value)) : refusal(row.reason);
  });
  add("POST", "/passkeys/remove", async (person, request) => {
    const body = readBody(request, named);
    if (!body.ok) return body;
    const removed = await removePasskey(core, person, body.value.credential_id);
    return removed.ok ? ok(undefined) : refusal(removed.reason);
  });
  add("POST", "/sign-in-events/seen", async (person, request) => {
    const body = readBody(request, seen);
    if (!body.ok) return body;
    await seenSignInEvents(core, person, body.value.event_ids);
    return ok(undefined);
  });
}

/** The session means more from now on, so its token is a new one. */
function renewed(core: Core, reply: FastifyReply, { token, credential }: Renewed) {
  setSessionCookie(reply, token.reveal(), PERSON_SESSION_LIFE_MS / 1_000);
  return ok(view(core, credential));
}

async function overview(core: Core, person: PersonSession, device: string): Promise<PasskeysView> {
  const { db } = core.store;
  const [credentials, sessions, events, atOnce] = await Promise.all([
    listCredentials(db, person),
    listSessions(core, person),
    listSignInEvents(db, person),
    wouldCountAtOnce(db, person),
  ]);
  return {
    passkeys: credentials.map((row) => view(core, row)),
    new_passkey: atOnce ? "counts_at_once" : "settles",
    suggested_label: device,
    sessions: sessions.map((row) => ({
      session_ref: row.session_hash,
      device: row.device,
      began: row.began,
      began_at: at(row.created_at),
      last_seen_at: at(row.last_seen_at ?? row.created_at),
      ...(row.session_hash === person.sessionHash ? { this_one: true as const } : {}),
    })),
    events: events.map((row) => ({
      event_id: row.event_id,
      kind: row.kind,
      label: row.label,
      at: at(row.at),
      ...(row.seen_at === null ? { is_new: true as const } : {}),
    })),
  };
}

function view(core: Core, row: CredentialRow): PasskeyView {
  const counts = core.now() >= usableFrom(row);
  return {
    credential_id: row.credential_id,
    label: row.label,
    added_at: at(row.enrolled_at),
    ...(row.last_used_at === null ? {} : { last_used_at: at(row.last_used_at) }),
    standing: counts ? "counts" : "settling",
    ...(counts ? {} : { counts_from: at(usableFrom(row)) }),
  };
}
