import {
  type Answer,
  type CommitAdapter,
  type Found,
  type Held,
  type Observed,
  type Prepared,
  type Step as Progress,
  type Recognised,
  type Session,
  SiteTrouble,
  type Submission,
} from "@countersign/plugin";
import {
  type ActionRecord,
  actionRecord,
  type CommitOperation,
  comparePersonal,
  compareTerms,
} from "@countersign/profile";
import { digestOf, formatInstant, instant, type JsonObject } from "@countersign/wire";
import { RECORD_LIFE_MS } from "../limits.ts";
import { isCommit } from "./egress.ts";
import type { Outcome, Stage } from "./stage.ts";

/** What a person would be shown, with what the adapter needs to find it again. */
export interface Frozen {
  readonly record: ActionRecord;
  readonly state: JsonObject;
  readonly personal: Readonly<Record<string, string>>;
}

export type Adapter = CommitAdapter<JsonObject, unknown, JsonObject, Session>;

export interface Crossed {
  readonly submission: Submission;
  readonly answer: Answer | "lost";
  readonly recognised: Recognised<JsonObject>;
}

/** One committing operation, driven as the gateway drives it. */
export class Play {
  readonly stage: Stage;
  readonly adapter: Adapter;
  readonly operation: CommitOperation;
  #serial = 0;

  constructor(stage: Stage, adapter: Adapter, operation: CommitOperation) {
    this.stage = stage;
    this.adapter = adapter;
    this.operation = operation;
  }

  get id(): string {
    return this.operation.id;
  }

  async prepare(params: JsonObject, during: string, giveUp?: true): Promise<Outcome<Prepared<unknown>>> {
    const outcome = await this.#step(during, giveUp, (session) =>
      this.adapter.prepare(this.stage.ctx, session, params),
    );
    if (outcome.kind === "gave") {
      const { value } = outcome;
      if (value.kind === "gap") this.stage.said(this.id, during, "the reason of a gap", value.why);
      if (value.kind === "ready") this.stage.addPersonal(Object.values(value.personal ?? {}));
      if (value.kind === "ready" || value.kind === "pending") this.#sealed(during, "its state", value.state);
    }
    return outcome;
  }

  /** Prepares and freezes at a site that is as it should be; undefined with a finding when that does not come about. */
  async frozen(params: JsonObject, during: string): Promise<Frozen | undefined> {
    const prepared = await this.prepare(params, during);
    if (prepared.kind !== "gave" || prepared.value.kind !== "ready") {
      const came = prepared.kind === "gave" ? prepared.value.kind : prepared.kind;
      this.#broke("contract", during, `nothing is wrong with the site, and prepare comes to "${came}"`);
      return undefined;
    }
    return this.freeze(params, prepared.value, during);
  }

  /** The record as it would be put to the person: judged by the catalogue's own schemas. */
  async freeze(
    params: JsonObject,
    ready: Observed<unknown> & { readonly state: JsonObject },
    during: string,
  ): Promise<Frozen | undefined> {
    const asked = this.operation.parameters.safeParse(params);
    if (!asked.success) return this.#broke("contract", during, "the check's own parameters are not the operation's");
    const terms = this.operation.terms.safeParse(ready.terms);
    if (!terms.success) {
      const { path = [], message = "" } = terms.error.issues[0] ?? {};
      return this.#broke("contract", during, `its terms are not the operation's: ${path.join("/")} ${message}`);
    }
    const contradictions = this.operation.contradictions(asked.data, terms.data);
    if (contradictions.length > 0)
      return this.#broke(
        "contract",
        during,
        `its terms contradict the request or themselves: ${contradictions.join(", ")}`,
      );
    for (const name of Object.keys(ready.personal ?? {}))
      if (!this.operation.meaning.personal.some((one) => one.name === name))
        this.#broke("contract", during, `the operation knows no personal text "${name}"`);
    const now = instant(this.stage.now());
    const serial = `${++this.#serial}`;
    const record = actionRecord.parse({
      typ: "countersign.action/1",
      profile: "sophtron.agentic-web-execution/0.1",
      issuer: "http://localhost:4600",
      action_id: `act_${this.id}_${serial}`,
      task_id: `task_${this.id}_${serial}`,
      nonce: "AAAAAAAAAAAAAAAAAAAAAA",
      created_at: formatInstant(now),
      expires_at: formatInstant(instant(now + RECORD_LIFE_MS)),
      account_holder: "holder_check",
      account_ref: "account_check",
      consent_ref: "consent_check",
      agent: "agent_check",
      request_digest: await digestOf({ operation: this.id, params }),
      operation: this.id,
      parameters: asked.data,
      limits: {},
      route: { kind: this.stage.check.route, origin: this.stage.site.origin, adapter: this.stage.check.site.version },
      terms: terms.data,
      private: {},
      observed: { at: formatInstant(now), state_digest: await digestOf(ready.state) },
      uses: 1,
    });
    return { record, state: copy(ready.state), personal: ready.personal ?? {} };
  }

  hold(frozen: Frozen, during: string, giveUp?: true): Promise<Outcome<Progress<Held>>> {
    return this.#step(during, giveUp, async (session) => {
      const held = await this.#hold(session, frozen, during);
      if (held.kind === "done") await held.value.exchange.abandon("unsent");
      return held;
    });
  }

  observe(frozen: Frozen, during: string, giveUp?: true): Promise<Outcome<Progress<Observed<unknown>>>> {
    return this.#step(during, giveUp, (session) =>
      this.adapter.observe(this.stage.ctx, session, frozen.record, frozen.state),
    );
  }

  /** Hold, and in the same session observe once `between` has happened; nothing is sent. */
  heldThen(frozen: Frozen, during: string, between: () => Promise<void>) {
    return this.#step(during, undefined, async (session) => {
      const held = await this.#hold(session, frozen, during);
      if (held.kind !== "done") return { held, observed: undefined };
      await between();
      try {
        const observed = await this.adapter.observe(this.stage.ctx, session, frozen.record, frozen.state);
        return { held, observed };
      } finally {
        await held.value.exchange.abandon("unsent");
      }
    });
  }

  /**
   * Hold, `between`, observe, send once, recognise. `send` says what becomes of the sending; `drop` never arrives.
   * Undefined when the adapter does not come as far as the sending; with `as_approved` neither when it observes other
   * terms than were approved, which the gateway would not send.
   */
  async cross(
    frozen: Frozen,
    during: string,
    send: "answered" | "answer_lost" | "drop" = "answered",
    between: () => Promise<void> = async () => {},
    when: "as_approved" | "whatever_it_observes" = "whatever_it_observes",
  ): Promise<Crossed | undefined> {
    const held = await this.#step(during, undefined, async (session) => {
      const step = await this.#hold(session, frozen, during);
      if (step.kind !== "done") return step.kind;
      await between();
      const observed = await this.adapter.observe(this.stage.ctx, session, frozen.record, frozen.state);
      if (observed.kind !== "done") {
        await step.value.exchange.abandon("unsent");
        return observed.kind;
      }
      if (when === "as_approved" && !this.holds(frozen, observed.value)) {
        await step.value.exchange.abandon("unsent");
        return "other_terms";
      }
      const submission: Submission = {
        submissionId: `sub_${this.#serial}`,
        record: frozen.record,
        fingerprint: copy(step.value.fingerprint),
        submittedAt: formatInstant(instant(this.stage.now())),
      };
      const sent = send === "drop" ? "lost" : await this.stage.send(this.id, step.value.exchange.request);
      const answer = send === "answered" ? sent : "lost";
      if (answer === "lost") await step.value.exchange.abandon();
      else await step.value.exchange.answer(answer);
      return { submission, answer };
    });
    if (held.kind === "gave" && held.value === "other_terms") return undefined;
    if (held.kind !== "gave" || typeof held.value === "string") {
      const came = held.kind === "gave" ? held.value : held.kind;
      this.#broke(
        "contract",
        during,
        `nothing is wrong with the site, and it does not come to the sending ("${came}")`,
      );
      return undefined;
    }
    const { submission, answer } = held.value as Omit<Crossed, "recognised">;
    const recognised: Recognised<JsonObject> =
      answer === "lost" ? { kind: "unknown" } : this.recognise(answer, frozen.record, during);
    return { submission, answer, recognised };
  }

  recognise(answer: Answer, record: ActionRecord, during: string): Recognised<JsonObject> {
    try {
      const recognised = this.adapter.recognise(answer, record);
      if (recognised.kind === "refused") this.stage.said(this.id, during, "the reason of a refusal", recognised.why);
      if (recognised.kind === "verify") this.#verify(recognised.state, during);
      return recognised;
    } catch (error) {
      const what = error instanceof SiteTrouble ? "SiteTrouble" : error instanceof Error ? error.name : typeof error;
      this.#broke("contract", during, `recognise throws ${what}; what it does not know is unknown`);
      return { kind: "unknown" };
    }
  }

  async readBack(submission: Submission, during: string, giveUp?: true): Promise<Outcome<Found<JsonObject>>> {
    const outcome = await this.#step(during, giveUp, (session) =>
      this.adapter.readBack(this.stage.ctx, session, submission),
    );
    if (outcome.kind === "gave" && outcome.value.kind === "unclear")
      this.stage.said(this.id, during, "the reason of a read-back", outcome.value.why);
    return outcome;
  }

  /** Whether the boundary would let these observed terms pass for the approved ones. */
  holds(frozen: Frozen, observed: Observed<unknown>): boolean {
    const terms = this.operation.terms.safeParse(observed.terms);
    if (!terms.success) return false;
    const { meaning } = this.operation;
    const personal = comparePersonal(meaning, frozen.personal, observed.personal ?? {});
    return personal.length === 0 && compareTerms(meaning, frozen.record.terms as JsonObject, terms.data).holds;
  }

  async #hold(session: Session, frozen: Frozen, during: string): Promise<Progress<Held>> {
    const held = await this.adapter.hold(this.stage.ctx, session, frozen.record, frozen.state);
    if (held.kind !== "done") return held;
    const { request } = held.value.exchange;
    const url = new URL(request.url);
    if (url.origin !== this.stage.site.origin)
      this.#broke("boundary", during, "the held request goes to another origin");
    if (!isCommit({ method: request.method, path: url.pathname, body: request.body.reveal() }, this.adapter.commits))
      this.#broke("contract", during, "the held request is none of those that the adapter declares in commits");
    this.#sealed(during, "its fingerprint", held.value.fingerprint);
    if (url.search !== "") this.stage.said(this.id, during, "the address of the held request", url.search);
    return held;
  }

  #verify(state: JsonObject, during: string): void {
    if (this.adapter.verification === undefined)
      this.#broke("contract", during, "it says that the person is wanted, and has no verification");
    this.stage.said(this.id, during, "the state of a verification", JSON.stringify(state));
  }

  #sealed(during: string, what: string, state: JsonObject): void {
    this.stage.said(this.id, during, what, JSON.stringify(state), "sealed");
    if (JSON.stringify(copy(state)) !== JSON.stringify(state) || state === null || typeof state !== "object")
      this.#broke("contract", during, `${what} is no JSON object; it would not come back as it was`);
  }

  #step<T>(name: string, giveUp: true | undefined, work: (session: Session) => Promise<T>): Promise<Outcome<T>> {
    return this.stage.step({ operation: this.id, name, ...(giveUp === undefined ? {} : { giveUp }) }, work);
  }

  #broke(promise: Parameters<Stage["findings"]["broke"]>[0], during: string, seen: string): undefined {
    this.stage.findings.broke(promise, this.id, during, seen);
  }
}

/** What the store would give back. */
function copy(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
