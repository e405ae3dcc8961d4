import { identifier, PROFILE_ID, timestamp } from "@countersign/profile";
import { err, isJsonObject, type Json, type JsonObject, ok, type Result } from "@countersign/wire";
import { z } from "zod";
import { type A2aError, broken, failure, refusedByGateway } from "../wire/errors.ts";
import type { SentMessage } from "../wire/read.ts";
import { fieldsOf } from "../wire/read.ts";
import type { Call } from "./call.ts";
import { claimMessage, hash, type Named, releaseMessage, settleMessage } from "./messages.ts";
import { UNTRUSTED } from "./task-view.ts";

// What a message can ask for: one data part whose `skill` names a skill of the card. `act` makes a task; every other one
// is answered at once with a message.

const PURPOSE_CHARS_MAX = 500;
const OPERATIONS_MAX = 50;
const object = z.record(z.string(), z.json());

export const ACT = "act";

const act = z.strictObject({
  skill: z.literal(ACT),
  operation: identifier,
  account_ref: identifier,
  consent_ref: identifier,
  parameters: object,
  expires_at: timestamp,
  idempotency_key: identifier.exactOptional(),
});

/** Strict: what is not named here is refused (REQ-3). */
interface Skill<S extends z.ZodType = z.ZodType> {
  readonly input: S;
  answer(call: Call, asked: z.output<S>, message: Named): Promise<Result<JsonObject, A2aError>>;
}

/** Keeps the types of one skill together, and forgets them for the list. */
function skill<S extends z.ZodType>(given: Skill<S>): Skill {
  return given as unknown as Skill;
}

const QUERIES: Readonly<Record<string, Skill>> = {
  accounts: skill({
    input: z.strictObject({ skill: z.string() }),
    async answer({ host, caller }) {
      const accounts = await host.port.accounts(caller);
      if (!accounts.ok) return err(refusedByGateway(accounts.reason));
      const consents = await host.port.consents(caller);
      if (!consents.ok) return err(refusedByGateway(consents.reason));
      return ok({ accounts: accounts.value["accounts"] ?? [], consents: consents.value["consents"] ?? [] });
    },
  }),
  capabilities: skill({
    input: z.strictObject({ skill: z.string(), account_ref: identifier }),
    async answer({ host, caller }, asked) {
      const found = await host.port.capabilities(caller, asked.account_ref);
      if (!found.ok) return err(refusedByGateway(found.reason));
      const { references, ...rest } = found.value;
      return ok({ ...rest, references: { trust: UNTRUSTED, value: references ?? [] } });
    },
  }),
  consent: skill({
    input: z.strictObject({ skill: z.string(), consent_ref: identifier }),
    async answer({ host, caller }, asked) {
      const found = await host.port.consent(caller, asked.consent_ref);
      return found.ok ? ok(withPage(host.issuer, found.value)) : err(refusedByGateway(found.reason));
    },
  }),
  request_consent: skill({
    input: z.strictObject({
      skill: z.string(),
      destination: z.string().min(1).max(80).exactOptional(),
      account_ref: identifier.exactOptional(),
      operations: z.array(identifier).min(1).max(OPERATIONS_MAX),
      routes: z.array(identifier).min(1).max(OPERATIONS_MAX).exactOptional(),
      limits: object.exactOptional(),
      purpose: z.string().min(1).max(PURPOSE_CHARS_MAX),
      expires_at: timestamp,
    }),
    async answer(call, asked, message) {
      const { host, caller } = call;
      const { skill: _skill, ...body } = asked;
      // The account holder finds one question, however often the message is sent.
      const claimed = await claimMessage(call, message.messageId, message.raw);
      if (!claimed.ok) return err(broken("message.messageId", "was used for another message"));
      const ref = claimed.value.kind === "again" ? claimed.value.madeRef : undefined;
      const made = await (ref === undefined
        ? host.port.requestConsent(caller, body as JsonObject)
        : host.port.consent(caller, ref));
      if (!made.ok) {
        if (ref === undefined) await releaseMessage(call, message.messageId, claimed.value);
        return err(refusedByGateway(made.reason));
      }
      const { consent_ref: consentRef } = made.value;
      if (ref === undefined) await settleMessage(call, message, claimed.value, String(consentRef));
      return ok(withPage(host.issuer, made.value));
    },
  }),
};

/** The page gives nobody any right: it asks who opens it. */
function withPage(issuer: string, consent: JsonObject): JsonObject {
  const { consent_ref: ref, state } = consent;
  return state === "requested" && typeof ref === "string"
    ? { ...consent, consent_url: `${issuer}/consents/${ref}` }
    : consent;
}

export type Asked =
  /** The body of a request of the profile. */
  | { readonly kind: "act"; readonly request: JsonObject }
  | { readonly kind: "query"; answer(call: Call, named: Named): Promise<Result<JsonObject, A2aError>> }
  /** Words alone: there is nothing to do by them, and the answer says what there is. */
  | { readonly kind: "words" };

/** What a message that names no task asks for. */
export function askedBy(message: SentMessage, contextId: string): Result<Asked, A2aError> {
  const data = message.parts.flatMap((part, at) => (part.data === undefined ? [] : [{ at, data: part.data as Json }]));
  const [only, ...more] = data;
  if (only === undefined) return ok({ kind: "words" });
  if (more.length > 0) return err(broken("message.parts", "one data part says what is wanted"));
  const where = `message.parts[${only.at}].data`;
  if (!isJsonObject(only.data)) return err(broken(where, "must be object"));
  const name = only.data["skill"];
  if (name === ACT) return readAct(message, contextId, only.data, where);
  const query = typeof name === "string" && Object.hasOwn(QUERIES, name) ? QUERIES[name] : undefined;
  if (query === undefined) return err(broken(`${where}.skill`, "the id of a skill of the card"));
  const read = query.input.safeParse(only.data);
  if (!read.success) return err(failure("INVALID_PARAMS", fieldsOf(read.error, where)));
  return ok({ kind: "query", answer: (call, named) => query.answer(call, read.data, named) });
}

function readAct(message: SentMessage, contextId: string, data: JsonObject, where: string): Result<Asked, A2aError> {
  const read = act.safeParse(data);
  if (!read.success) return err(failure("INVALID_PARAMS", fieldsOf(read.error, where)));
  const { skill: _skill, idempotency_key: key, ...wish } = read.data;
  return ok({
    kind: "act",
    request: {
      profile: PROFILE_ID,
      request_id: contextId,
      // A client that has no name of its own for the wish has named it by its message.
      idempotency_key: key ?? `a2a:${hash(message.messageId)}`,
      ...(wish as JsonObject),
    },
  });
}

/** What somebody hears who only wrote words. */
export const USAGE =
  'This agent takes requests as one data part, not in words. Send {"skill": "accounts"} first; the card lists the skills, and GetExtendedAgentCard those that you are granted.';
