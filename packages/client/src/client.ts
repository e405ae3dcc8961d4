import {
  type AccountsView,
  type CapabilitiesView,
  type ConsentsView,
  type ConsentView,
  type NewWebhookView,
  type ReceiptView,
  type ResultView,
  TASK_STATES,
  type TasksView,
  type TaskView,
  type WebhooksView,
  type WithdrawnView,
} from "@countersign/profile/agent-api";
import { err, type JsonObject, ok, type Result } from "@countersign/wire";
import { type Answer, type CallOptions, type ClientOptions, createHttp, type Sending } from "./http.ts";
import { localProblem, type Problem } from "./problem.ts";
import { type WaitOptions, waitForTask } from "./wait.ts";
import { derivedKey, envelopeOf, type Wish } from "./wish.ts";

/** What an agent asks the account holder for. Only the account holder decides, on the gateway's own pages. */
export interface ConsentAsk {
  /** A place, for which the account holder picks the account; or an account that is known already. */
  readonly destination?: string;
  readonly account_ref?: string;
  readonly operations: readonly string[];
  readonly routes?: readonly string[];
  readonly limits?: JsonObject;
  readonly purpose: string;
  readonly expires_at: string;
}

export interface Submitted {
  readonly task: TaskView;
  /** The task was there before: an earlier sending had arrived. */
  readonly replayed: boolean;
  /** With it the same wish can be sent again, at any time. */
  readonly idempotencyKey: string;
}

type Answered<T> = Promise<Result<T, Problem>>;

/** An agent's calls. Each answers a value or a {@link Problem}; none throws, and none decides for the account holder. */
export interface Client {
  /** The accounts that a grant of this agent names. */
  accounts(options?: CallOptions): Answered<AccountsView["accounts"]>;
  /** What can be done at an account, with schemas, and the rows that a request may name. */
  capabilities(accountRef: string, options?: CallOptions): Answered<CapabilitiesView>;
  /** The grants that stand now, with what their use has left. */
  consents(options?: CallOptions): Answered<ConsentsView["consents"]>;
  consent(consentRef: string, options?: CallOptions): Answered<ConsentView>;
  /** Puts a question into the account holder's inbox. A lost answer is not asked for again: look at the inbox first. */
  askConsent(ask: ConsentAsk, options?: CallOptions): Answered<ConsentView>;
  /** Waits until the account holder has decided. */
  waitForConsent(consentRef: string, options?: CallOptions & { readonly timeoutMs?: number }): Answered<ConsentView>;

  /**
   * Sends a wish. While no answer comes it is sent again with the same idempotency key, so one wish is one task however
   * often the line breaks.
   */
  submit(wish: Wish, options?: CallOptions): Answered<Submitted>;
  task(taskId: string, options?: CallOptions): Answered<TaskView>;
  tasks(filter?: { readonly state?: "open" }, options?: CallOptions): Answered<readonly TaskView[]>;
  wait(taskId: string, options?: WaitOptions): Answered<TaskView>;
  /** Withdraws a task that was not submitted; `withdrawal` says what became of it. It undoes nothing. */
  cancel(taskId: string, options?: CallOptions): Answered<WithdrawnView>;
  /** The data of a read, or what a commit came to; to be had for a day. */
  result(taskId: string, options?: CallOptions): Answered<ResultView>;
  /** The newest signed receipt, with the keys that it is checked with. */
  receipt(taskId: string, options?: CallOptions): Answered<ReceiptView>;
  /** Evidence of an authority that the account holder enrolled. */
  sendEvidence(taskId: string, authority: string, evidence: JsonObject, options?: CallOptions): Answered<TaskView>;

  webhooks(options?: CallOptions): Answered<WebhooksView["webhooks"]>;
  /** Names a receiver; the secret is in this answer alone. A known address gets a new one. */
  addWebhook(url: string, options?: CallOptions): Answered<NewWebhookView>;
  removeWebhook(webhookId: string, options?: CallOptions): Answered<undefined>;
}

const CONSENT_LOOK_MS = 2_000;
const CONSENT_WAIT_MS = 5 * 60_000;

/** @throws TypeError when `gateway` is no https origin (or http on this machine). */
export function createClient(options: ClientOptions): Client {
  const http = createHttp(options);
  const { clock } = http;
  const tell = async <T>(sending: Sending, read: (answer: Answer) => T | undefined): Answered<T> => {
    const answer = await http.call(sending);
    if (!answer.ok) return answer;
    const value = read(answer.value);
    return value === undefined ? err(localProblem("unexpected_answer")) : ok(value);
  };
  const get = (path: string, { signal }: CallOptions = {}): Sending => sending("GET", path, signal);
  const post = (path: string, body: JsonObject, { signal }: CallOptions = {}): Sending => ({
    ...sending("POST", path, signal),
    body,
  });

  const client: Client = {
    accounts: (more) => tell(get("/v1/accounts", more), list<AccountsView, "accounts">("accounts")),
    capabilities: (ref, more) =>
      tell(get(`/v1/accounts/${segment(ref)}/capabilities`, more), shaped<CapabilitiesView>("account_ref")),
    consents: (more) => tell(get("/v1/consents", more), list<ConsentsView, "consents">("consents")),
    consent: (ref, more) => tell(get(`/v1/consents/${segment(ref)}`, more), shaped<ConsentView>("consent_ref")),
    askConsent: (ask, more) =>
      tell(
        // A second one would be a second question.
        { ...post("/v1/consents", { ...ask, operations: [...ask.operations] } as JsonObject, more), repeat: "never" },
        shaped<ConsentView>("consent_ref"),
      ),
    async waitForConsent(ref, { signal, timeoutMs = CONSENT_WAIT_MS } = {}) {
      const end = clock.now() + timeoutMs;
      for (;;) {
        const consent = await client.consent(ref, signal === undefined ? {} : { signal });
        if (!consent.ok || consent.value.state !== "requested") return consent;
        if (clock.now() >= end) return err(localProblem("timed_out"));
        await clock.pause(Math.min(CONSENT_LOOK_MS, end - clock.now()), signal);
        if (signal?.aborted === true) return err(localProblem("aborted"));
      }
    },

    async submit(wish, more) {
      const idempotencyKey = wish.idempotency_key ?? (await derivedKey(wish));
      return tell(post("/v1/tasks", envelopeOf(wish, idempotencyKey), more), (answer) => {
        const task = taskOf(answer);
        if (task === undefined) return undefined;
        return { task, replayed: answer.headers.get("idempotency-replayed") === "true", idempotencyKey };
      });
    },
    task: (id, more) => tell(get(`/v1/tasks/${segment(id)}`, more), taskOf),
    tasks: (filter = {}, more) =>
      tell(
        get(filter.state === undefined ? "/v1/tasks" : `/v1/tasks?state=${segment(filter.state)}`, more),
        list<TasksView, "tasks">("tasks"),
      ),
    wait: (id, more = {}) =>
      waitForTask(http, (signal) => client.task(id, { signal }), `/v1/tasks/${segment(id)}/events`, more),
    cancel: (id, more) =>
      tell(post(`/v1/tasks/${segment(id)}/cancel`, {}, more), (answer) =>
        taskOf(answer) === undefined ? undefined : shaped<WithdrawnView>("withdrawal")(answer),
      ),
    result: (id, more) => tell(get(`/v1/tasks/${segment(id)}/result`, more), shaped<ResultView>("task_id")),
    receipt: (id, more) => tell(get(`/v1/tasks/${segment(id)}/receipt`, more), shaped<ReceiptView>("receipt_id")),
    sendEvidence: (id, authority, evidence, more) =>
      tell({ ...post(`/v1/tasks/${segment(id)}/evidence`, { authority, evidence }, more), repeat: "never" }, taskOf),

    webhooks: (more) => tell(get("/v1/webhooks", more), list<WebhooksView, "webhooks">("webhooks")),
    addWebhook: (url, more) => tell(post("/v1/webhooks", { url }, more), shaped<NewWebhookView>("secret")),
    async removeWebhook(id, { signal } = {}) {
      const removed = await http.call(sending("DELETE", `/v1/webhooks/${segment(id)}`, signal));
      return removed.ok ? ok(undefined) : removed;
    },
  };
  return client;
}

function sending(method: Sending["method"], path: string, signal: AbortSignal | undefined): Sending {
  return { method, path, repeat: "same_effect", ...(signal === undefined ? {} : { signal }) };
}

function segment(text: string): string {
  return encodeURIComponent(text);
}

/** The gateway is believed to speak its contract; an answer of something else is told by the member that names it. */
function shaped<T>(member: keyof T & string) {
  return ({ json }: Answer): T | undefined => (typeof json[member] === "string" ? (json as unknown as T) : undefined);
}

function list<T, M extends keyof T & string>(member: M) {
  return ({ json }: Answer): T[M] | undefined =>
    Array.isArray(json[member]) ? (json as unknown as T)[member] : undefined;
}

function taskOf({ json }: Answer): TaskView | undefined {
  const isTask =
    typeof json["task_id"] === "string" &&
    typeof json["revision"] === "number" &&
    typeof json["poll_after_ms"] === "number" &&
    TASK_STATES.some((state) => state === json["state"]);
  return isTask ? (json as unknown as TaskView) : undefined;
}
