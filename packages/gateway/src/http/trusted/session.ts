import { formatInstant, type Instant, ok, secret } from "@countersign/wire";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { PERSON_SESSION_LIFE_MS } from "../../limits.ts";
import { endSession, redeemLink } from "../../people/people.ts";
import type { SessionView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import { sendProblem } from "../problems.ts";
import type { ServerParts } from "../server.ts";
import { sameOriginOnly, setSessionCookie } from "./guard.ts";
import type { AddRoute } from "./trusted.ts";

const LINK_TRIES = { max: 20, timeWindow: 60_000 } as const;
const linkBody = z.strictObject({ link_token: z.string().min(20).max(100) });

export function registerSession(app: FastifyInstance, add: AddRoute, { core, practice }: ServerParts): void {
  app.post("/trusted/v1/session", { config: { rateLimit: LINK_TRIES } }, async (request, reply) => {
    reply.header("cache-control", "no-store");
    const allowed = sameOriginOnly(core.issuer, request);
    if (!allowed.ok) return sendProblem(reply, allowed.reason);
    const body = readBody(request, linkBody);
    if (!body.ok) return sendProblem(reply, body.reason);
    const session = await core.store.as("system", () => redeemLink(core, secret(body.value.link_token)));
    if (!session.ok) return sendProblem(reply, { reason: "gone" });
    setSessionCookie(reply, session.value.reveal(), PERSON_SESSION_LIFE_MS / 1000);
    return reply.code(204).send();
  });

  add("GET", "/session", async (person) => {
    const view: SessionView = {
      person: { name: person.name },
      expires_at: formatInstant(person.expiresAt as Instant),
      issuer: core.issuer,
      pin: (await core.keys.current()).pin,
      ...(practice === undefined ? {} : { practice: true }),
    };
    return ok(view);
  });

  add("POST", "/session/end", async (person, _request, reply) => {
    await endSession(core, person.sessionHash);
    setSessionCookie(reply, "", 0);
    return ok(undefined);
  });
}
