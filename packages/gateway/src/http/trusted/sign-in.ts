import { err, ok, type Secret, secret } from "@countersign/wire";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Core } from "../../core.ts";
import { PERSON_SESSION_LIFE_MS } from "../../limits.ts";
import { assertionAnswer } from "../../people/ceremony.ts";
import { deviceWords } from "../../people/device.ts";
import { redeemLink } from "../../people/people.ts";
import { endSession, findSession } from "../../people/sessions.ts";
import { beginSignIn, finishSignIn } from "../../people/sign-in.ts";
import type { SignInWaysView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { sessionToken, setSessionCookie } from "./guard.ts";
import { askedBrowser, browserOf, forgetBrowser, openRoutes } from "./open-routes.ts";

const linkBody = z.strictObject({ link_token: z.string().min(20).max(100) });
const answerBody = z.strictObject({ answer: assertionAnswer });

/** The ways in: a one-time link, and a passkey without a name. Looking at any of them (GET, HEAD) changes nothing (U38). */
export function registerSignIn(app: FastifyInstance, { core }: ServerParts): void {
  const add = openRoutes(app, core);
  add("GET", "/sign-in", async () => {
    const { openid } = core.people;
    const view: SignInWaysView = openid === undefined ? {} : { outside: { title: openid.title } };
    return ok(view);
  });
  add("POST", "/session", async (request, reply) => {
    const body = readBody(request, linkBody);
    if (!body.ok) return body;
    const token = await redeemLink(core, secret(body.value.link_token), deviceOf(request));
    if (!token.ok) return err({ reason: "gone" });
    await enter(core, request, reply, token.value);
    return ok(undefined);
  });
  add("POST", "/sign-in/begin", async (request, reply) => {
    const options = await beginSignIn(core, browserOf(request, reply));
    return options.ok ? ok({ options: options.value }) : err({ reason: "rate_limited" });
  });
  add("POST", "/sign-in/finish", async (request, reply) => {
    const body = readBody(request, answerBody);
    const browser = askedBrowser(request);
    // One answer for a passkey that is unknown, removed or somebody else's, and for a proof that is wrong or late.
    if (!body.ok || browser === undefined) return err({ reason: "passkey_refused" });
    const token = await finishSignIn(core, browser, body.value.answer, deviceOf(request));
    if (!token.ok) return err({ reason: "passkey_refused" });
    await enter(core, request, reply, token.value);
    return ok(undefined);
  });
}

export function deviceOf(request: FastifyRequest): string {
  return deviceWords(request.headers["user-agent"]);
}

/** Puts the new session's cookie in the place of whatever the browser had; a session that it had before ends. */
export async function enter(
  core: Core,
  request: FastifyRequest,
  reply: FastifyReply,
  token: Secret<string>,
): Promise<void> {
  const before = sessionToken(request);
  const earlier = before === undefined ? undefined : await findSession(core, secret(before));
  if (earlier !== undefined) await endSession(core.store.db, earlier, earlier.sessionHash);
  setSessionCookie(reply, token.reveal(), PERSON_SESSION_LIFE_MS / 1_000);
  if (askedBrowser(request) !== undefined) forgetBrowser(reply);
}
