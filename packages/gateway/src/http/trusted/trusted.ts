import type { Result } from "@countersign/wire";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Refusal } from "../../admission/refusal.ts";
import type { PersonSession } from "../../people/sessions.ts";
import { sendProblem } from "../problems.ts";
import type { ServerParts } from "../server.ts";
import { registerAccounts } from "./accounts.ts";
import { registerAgents } from "./agents.ts";
import { registerApprovals } from "./approvals.ts";
import { registerAuthorities } from "./authorities.ts";
import { registerAuthorizations } from "./authorizations.ts";
import { registerChanges } from "./changes.ts";
import { registerConsents } from "./consents.ts";
import { registerContact } from "./contact.ts";
import { registerContinuations } from "./continuations.ts";
import { requirePerson } from "./guard.ts";
import { registerInbox } from "./inbox.ts";
import { registerMerchantRecords } from "./merchant-records.ts";
import { registerOutsideSignIn } from "./outside-sign-in.ts";
import { registerPasskeys } from "./passkeys.ts";
import { registerPractice } from "./practice.ts";
import { registerReceipts } from "./receipts.ts";
import { registerSession } from "./session.ts";
import { registerSignIn } from "./sign-in.ts";
import { registerTasks } from "./tasks.ts";

export type Answer = Result<object | undefined, Refusal>;

/** Adds a route of the trusted interface: guarded, never cached, answering JSON, 204 or a problem document. */
export type AddRoute = (
  method: "GET" | "POST",
  path: string,
  handler: (person: PersonSession, request: FastifyRequest, reply: FastifyReply) => Promise<Answer>,
) => void;

/** The trusted interface's server side, under `/trusted/v1`; the contract is in `trusted/contract.ts`. */
export function registerTrusted(app: FastifyInstance, parts: ServerParts): void {
  const add: AddRoute = (method, path, handler) => {
    app.route({
      method,
      url: `/trusted/v1${path}`,
      handler: async (request, reply) => {
        reply.header("cache-control", "no-store");
        // The clock that deadlines are judged by: a page counts down by it and not by its own machine's.
        reply.header("date", new Date(parts.core.now()).toUTCString());
        const person = await requirePerson(parts.core, request);
        if (!person.ok) return sendProblem(reply, person.reason);
        const { tenantId } = person.value;
        const answer = await parts.core.store.as({ tenantId }, () => handler(person.value, request, reply));
        if (!answer.ok) return sendProblem(reply, answer.reason);
        return answer.value === undefined ? reply.code(204).send() : reply.send(answer.value);
      },
    });
  };
  registerSignIn(app, parts);
  registerOutsideSignIn(app, parts);
  registerSession(add, parts);
  registerPasskeys(add, parts);
  registerInbox(add, parts);
  registerContact(add, parts);
  registerAgents(add, parts);
  registerAuthorizations(add, parts);
  registerAccounts(add, parts);
  registerConsents(add, parts);
  registerContinuations(app, add, parts);
  registerApprovals(add, parts);
  registerAuthorities(add, parts);
  registerTasks(add, parts);
  registerMerchantRecords(add, parts);
  registerReceipts(add, parts);
  registerChanges(app, parts);
  if (parts.practice !== undefined) registerPractice(add, parts.practice);
}

export function param(request: FastifyRequest, name: string): string {
  const params: unknown = request.params;
  if (typeof params !== "object" || params === null) return "";
  const value: unknown = Object.getOwnPropertyDescriptor(params, name)?.value;
  return typeof value === "string" ? value : "";
}
