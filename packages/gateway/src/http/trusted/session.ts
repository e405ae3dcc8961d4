import { err, formatInstant, type Instant, ok } from "@countersign/wire";
import { z } from "zod";
import { listCredentials } from "../../approval/credentials.ts";
import { endAllSessions, endSession } from "../../people/sessions.ts";
import type { SessionView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { setSessionCookie } from "./guard.ts";
import type { AddRoute } from "./trusted.ts";

const sessionBody = z.strictObject({ session_ref: z.string().length(43) });

/** The person's own session: what it is, and its end. Ways in are in sign-in.ts. */
export function registerSession(add: AddRoute, { core, practice }: ServerParts): void {
  add("GET", "/session", async (person) => {
    const view: SessionView = {
      person: { name: person.name },
      expires_at: formatInstant(person.expiresAt as Instant),
      issuer: core.issuer,
      pin: (await core.keys.current()).pin,
      began: person.began,
      passkeys: (await listCredentials(core.store.db, person)).length,
      ...(practice === undefined ? {} : { practice: true }),
    };
    return ok(view);
  });

  add("POST", "/session/end", async (person, _request, reply) => {
    await endSession(core.store.db, person, person.sessionHash);
    setSessionCookie(reply, "", 0);
    return ok(undefined);
  });
  /** Another browser of one's own; one's own session too, and then its cookie is of no use any more. */
  add("POST", "/sessions/end", async (person, request, reply) => {
    const body = readBody(request, sessionBody);
    if (!body.ok) return body;
    const ended = await endSession(core.store.db, person, body.value.session_ref);
    if (!ended.ok) return err({ reason: "not_found" });
    if (body.value.session_ref === person.sessionHash) setSessionCookie(reply, "", 0);
    return ok(undefined);
  });
  add("POST", "/sessions/end-all", async (person, _request, reply) => {
    await endAllSessions(core.store.db, person);
    setSessionCookie(reply, "", 0);
    return ok(undefined);
  });
}
