import type { Reason } from "@countersign/profile";
import { err, ok } from "@countersign/wire";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { backPath } from "../../people/back-path.ts";
import { beginOutside, finishOutside, type OutsideProblem } from "../../people/outside.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { askedBrowser, browserOf, openRoutes } from "./open-routes.ts";
import { deviceOf, enter } from "./sign-in.ts";

const PARAMETER_CHARS_MAX = 2_000;
const parameter = z.string().min(1).max(PARAMETER_CHARS_MAX);
const beginBody = z.strictObject({ back: z.string().max(PARAMETER_CHARS_MAX) });
const finishBody = z.strictObject({ code: parameter, state: parameter, iss: parameter.exactOptional() });

const PROBLEMS: Readonly<Record<OutsideProblem, Reason>> = {
  not_offered: "not_found",
  unavailable: "site_unavailable",
  refused: "forbidden",
};

/** Sign-in by the outside provider that the operator configured, if there is one. */
export function registerOutsideSignIn(app: FastifyInstance, { core }: ServerParts): void {
  const add = openRoutes(app, core);
  add("POST", "/sign-in/outside/begin", async (request, reply) => {
    const body = readBody(request, beginBody);
    if (!body.ok) return body;
    const url = await beginOutside(core, browserOf(request, reply), backPath(body.value.back));
    return url.ok ? ok({ url: url.value.href }) : err({ reason: PROBLEMS[url.reason] });
  });
  add("POST", "/sign-in/outside/finish", async (request, reply) => {
    const body = readBody(request, finishBody);
    const browser = askedBrowser(request);
    if (!body.ok || browser === undefined) return err({ reason: "forbidden" });
    const done = await finishOutside(core, browser, body.value, deviceOf(request));
    if (!done.ok) return err({ reason: PROBLEMS[done.reason] });
    await enter(core, request, reply, done.value.token);
    return ok({ back: done.value.back });
  });
}
