import type { ActionRecord } from "@countersign/profile";
import { canonicalJson, err, type Json, type JsonObject, ok } from "@countersign/wire";
import { type CommitAdapter, type Observed, SiteTrouble } from "../seams/adapter.ts";
import type { Ctx } from "../seams/ctx.ts";
import type { CommitBinding } from "./bindings.ts";
import type { CallingSession, ReadCallAnswer } from "./calls.ts";
import { callKey } from "./key.ts";
import { confirmationOf } from "./outcome.ts";
import { alreadyThere, entriesOf, findEntry, readPrint } from "./read-back.ts";
import { type Attempt, ask, askedScope, gap, objectOf, recognisedRefusal, textOf } from "./scope.ts";
import { fill, type Scope, type Template } from "./template.ts";

const VERSION = 1;

/** What was observed, and what of it is kept to commit by. */
interface Shown {
  readonly kept: Json;
  readonly observed: Observed<JsonObject>;
}

/**
 * A committing operation by bound calls: one that says the terms and changes nothing, one that commits, one that reads
 * back. The committing call is built here and sent by the gateway, from the boundary, once.
 */
export function boundCommit(
  binding: CommitBinding,
  readAnswer: ReadCallAnswer,
): CommitAdapter<JsonObject, JsonObject, JsonObject, CallingSession> {
  /** What a session's held call commits to, for the observation that follows. */
  const heldBy = new WeakMap<CallingSession, Shown>();
  return {
    effect: "commit",
    operation: binding.operation,
    // A call is told from another by what it calls, not by its path: the route refuses a bound commit that is not held.
    commits: [],

    async prepare(ctx, session, parameters) {
      const scope = await askedScope(ctx, session, parameters, binding.details);
      if (!scope.ok) return scope.reason;
      ctx.progress("terms", "Asking for the terms");
      const shown = await askTerms(binding, session, scope.value);
      if (!shown.ok) return shown.reason;
      return { kind: "ready", state: { v: VERSION, kept: shown.value.kept }, ...shown.value.observed };
    },

    async hold(ctx, session, record, state) {
      const scope = await recordScope(ctx, session, binding, record);
      if (!scope.ok) return scope.reason;
      const kept = keptIn(state);
      if (!kept.ok) return kept.reason;
      const shown = await termsToHold(binding, session, scope.value, kept.value);
      if (!shown.ok) return shown.reason;
      const after = { ...scope.value, kept: shown.value.kept };
      const known = await before(binding, session, after);
      if (!known.ok) return known.reason;
      const args = objectOf(binding.commit.call.arguments, after);
      if (!args.ok) return { kind: "gap", why: `the arguments of ${binding.commit.call.name} cannot be filled in` };
      const held = await session.hold(binding.commit.call, args.value);
      if (held.kind !== "done") return held;
      heldBy.set(session, shown.value);
      const fingerprint = { v: VERSION, kept: shown.value.kept, known: known.value };
      return { kind: "done", value: { exchange: held.value, fingerprint } };
    },

    async observe(ctx, session, record, state) {
      const scope = await recordScope(ctx, session, binding, record);
      if (!scope.ok) return scope.reason;
      const held = heldBy.get(session);
      const kept = keptIn(state);
      if (!kept.ok) return kept.reason;
      const again =
        binding.look === undefined
          ? await askTerms(binding, session, scope.value)
          : await lookAgain(binding, session, scope.value, held?.kept ?? kept.value);
      if (!again.ok) return again.reason;
      // Without a way to look at the very thing that is held, only terms that stand still say what it will cost.
      if (binding.look === undefined && held !== undefined && !isSame(held.observed, again.value.observed))
        throw new SiteTrouble("the terms are moving");
      return { kind: "done", value: again.value.observed };
    },

    recognise(answer, record) {
      const read = readAnswer(answer);
      if (read.kind === "unknown") return read;
      if (read.kind === "error") {
        const why = recognisedRefusal(binding.commit.refused, read.value);
        return why === undefined ? { kind: "unknown" } : { kind: "refused", why };
      }
      const { parameters, terms } = record as unknown as { readonly parameters: Json; readonly terms: Json };
      const confirmed = confirmationOf(binding.commit.confirmed, { parameters, terms, answer: read.value });
      return confirmed === undefined ? { kind: "unknown" } : { kind: "confirmed", ...confirmed };
    },

    // Without the time of an entry, one from before the lost submission could be taken for it.
    ...(binding.read_back.at === undefined
      ? {}
      : {
          trace: (_record: ActionRecord, state: JsonObject): JsonObject => ({
            v: VERSION,
            kept: state["kept"] ?? null,
            known: [],
          }),
        }),

    async readBack(_ctx, session, submission) {
      const print = readPrint(submission.fingerprint);
      if (print === undefined) return { kind: "unclear", why: "the fingerprint is of another version" };
      const { record } = submission;
      const scope = { ...frozenScope(record), kept: print.kept, key: await callKey(record) };
      const args = objectOf(binding.read_back.call.arguments, scope);
      if (!args.ok) return { kind: "unclear", why: "the arguments to read back by cannot be filled in" };
      const answer = await session.call(binding.read_back.call, args.value);
      if (answer.kind === "sign_in") return answer;
      if (answer.kind === "gap") return { kind: "unclear", why: answer.why };
      if (answer.kind === "error")
        return { kind: "unclear", why: `${binding.read_back.call.name} answered with an error` };
      return findEntry(binding.read_back, { ...scope, answer: answer.value }, print.known, submission.submittedAt);
    },
  };
}

/** The terms by which to commit: of what was kept, while it still stands, else asked for anew. */
async function termsToHold(
  binding: CommitBinding,
  session: CallingSession,
  scope: Scope,
  kept: Json,
): Promise<Attempt<Shown>> {
  if (binding.look !== undefined) {
    const standing = await lookAgain(binding, session, scope, kept);
    if (standing.ok || standing.reason.kind === "sign_in") return standing;
  }
  return askTerms(binding, session, scope);
}

async function askTerms(binding: CommitBinding, session: CallingSession, scope: Scope): Promise<Attempt<Shown>> {
  const { call, refused, keep, terms, personal } = binding.terms;
  const answer = await ask(session, call, refused, scope);
  if (!answer.ok) return answer;
  const shown = { ...scope, answer: answer.value };
  const kept = fill(keep, shown);
  if (!kept.ok) return gap(`what ${call.name} answered is not what was bound`);
  const observed = observedOf(call.name, terms, personal, shown);
  return observed.ok ? ok({ kept: kept.value, observed: observed.value }) : observed;
}

async function lookAgain(
  binding: CommitBinding,
  session: CallingSession,
  scope: Scope,
  kept: Json,
): Promise<Attempt<Shown>> {
  if (binding.look === undefined) return gap("there is nothing to look at again");
  const { call, refused, terms, personal } = binding.look;
  const answer = await ask(session, call, refused, { ...scope, kept });
  if (!answer.ok) return answer;
  const observed = observedOf(call.name, terms, personal, { ...scope, kept, answer: answer.value });
  return observed.ok ? ok({ kept, observed: observed.value }) : observed;
}

function observedOf(
  name: string,
  terms: Template,
  personal: Readonly<Record<string, Template>>,
  scope: Scope,
): Attempt<Observed<JsonObject>> {
  const read = objectOf(terms, scope);
  if (!read.ok) return gap(`what ${name} answered is not what was bound`);
  const texts: [string, string][] = [];
  for (const [member, template] of Object.entries(personal)) {
    const text = textOf(template, scope);
    if (!text.ok) return gap(`what ${name} answered is not what was bound`);
    texts.push([member, text.value]);
  }
  return ok({ terms: read.value, ...(texts.length === 0 ? {} : { personal: Object.fromEntries(texts) }) });
}

/** What was there before: nothing of it can be this submission's. */
async function before(
  binding: CommitBinding,
  session: CallingSession,
  scope: Scope,
): Promise<Attempt<readonly string[]>> {
  const answer = await ask(session, binding.read_back.call, [], scope);
  if (!answer.ok) return answer;
  const reading = { ...scope, answer: answer.value };
  if (alreadyThere(binding.read_back, reading)) return gap("it is done already");
  const entries = entriesOf(binding.read_back, reading);
  return entries === undefined
    ? gap(`what ${binding.read_back.call.name} answered is not what was bound`)
    : ok(entries.flatMap(({ id }) => (id === undefined ? [] : [id])));
}

async function recordScope(
  ctx: Ctx,
  session: CallingSession,
  binding: CommitBinding,
  record: ActionRecord,
): Promise<Attempt<Scope>> {
  const asked = await askedScope(ctx, session, record.parameters as JsonObject, binding.details);
  if (!asked.ok) return asked;
  return ok({ ...asked.value, ...frozenScope(record), key: await callKey(record) });
}

function frozenScope(record: ActionRecord): { readonly parameters: Json; readonly terms: Json } {
  return { parameters: record.parameters as JsonObject, terms: record.terms as JsonObject };
}

/** Adapter state of another version is refused, not guessed (decisions.md 12). */
function keptIn(state: JsonObject): Attempt<Json> {
  const { v, kept } = state;
  return v === VERSION && kept !== undefined
    ? ok(kept)
    : err({ kind: "gap", why: "the task was prepared by another version" });
}

function isSame(a: Observed<JsonObject>, b: Observed<JsonObject>): boolean {
  const text = ({ terms, personal = {} }: Observed<JsonObject>) => canonicalJson({ terms, personal });
  return text(a) === text(b);
}
