import type { Json, JsonObject, Result } from "@countersign/wire";
import type { Caller } from "./admission/caller.ts";
import type { Refusal } from "./admission/refusal.ts";
import type { Proof } from "./oauth/verify.ts";
import type { TaskQuery } from "./tasks/page.ts";

/** A task's body with the fact whether the request was a repeat of one taken before (REQ-4). */
export interface SubmitAnswer {
  readonly replayed: boolean;
  readonly task: JsonObject;
}

export interface TaskPage {
  readonly tasks: readonly JsonObject[];
  /** Where the next page begins; absent on the last. */
  readonly next?: string;
  /** How many there are on all pages. */
  readonly total: number;
}

/**
 * What a binding is given: the whole of the gateway that an agent can reach, and nothing of it that decides.
 * References of others answer `not_found`, as unknown ones do.
 */
export interface GatewayPort {
  /**
   * Judges an `Authorization` header; a binding passes the Caller on and cannot make one. `resource` is the audience
   * that the token must be for, alone (AUT-3): the agents' API unless it is said. A token that is bound to a key counts
   * with its proof alone (RFC 9449), and each proof once.
   */
  authenticate(authorization: string | undefined, resource?: string, proof?: Proof): Promise<Result<Caller, Refusal>>;
  submit(caller: Caller, body: Uint8Array): Promise<Result<SubmitAnswer, Refusal>>;
  task(caller: Caller, taskId: string): Promise<Result<JsonObject, Refusal>>;
  /**
   * Resolves when this gateway has next ended a step of the caller's task, or when `signal` is aborted: a hint to look,
   * and no more. A task of others, or of another gateway's worker, gives none.
   */
  stepEnd(caller: Caller, taskId: string, signal: AbortSignal): Promise<void>;
  tasks(caller: Caller, filter: { readonly state?: string }): Promise<Result<JsonObject, Refusal>>;
  /** A page of the caller's own tasks, the latest moved first. */
  taskPage(caller: Caller, query: TaskQuery): Promise<Result<TaskPage, Refusal>>;
  result(caller: Caller, taskId: string): Promise<Result<JsonObject, Refusal>>;
  receipt(caller: Caller, taskId: string): Promise<Result<JsonObject, Refusal>>;
  /** Numbered events after `after`; with `done` once the task will have no more. */
  events(
    caller: Caller,
    taskId: string,
    after: number,
  ): Promise<Result<{ readonly events: readonly JsonObject[]; readonly done: boolean }, Refusal>>;
  /**
   * Evidence of an outside authority for the record that waits. It counts by its own proof and by the account holder's
   * enrolment alone; refused evidence changes nothing.
   */
  evidence(caller: Caller, taskId: string, body: Json): Promise<Result<JsonObject, Refusal>>;
  cancel(caller: Caller, taskId: string): Promise<Result<JsonObject, Refusal>>;
  accounts(caller: Caller): Promise<Result<JsonObject, Refusal>>;
  capabilities(caller: Caller, accountRef: string): Promise<Result<JsonObject, Refusal>>;
  requestConsent(caller: Caller, body: Json): Promise<Result<JsonObject, Refusal>>;
  /** The caller's receivers of webhooks about its tasks. */
  webhooks(caller: Caller): Promise<Result<JsonObject, Refusal>>;
  /** Names a receiver; its secret is in this answer alone. A known address gets a new one. */
  addWebhook(caller: Caller, body: Json): Promise<Result<JsonObject, Refusal>>;
  removeWebhook(caller: Caller, webhookId: string): Promise<Result<undefined, Refusal>>;
  /** The grants that stand now, with what their use has left of the limits. */
  consents(caller: Caller): Promise<Result<JsonObject, Refusal>>;
  consent(caller: Caller, consentRef: string): Promise<Result<JsonObject, Refusal>>;
}
