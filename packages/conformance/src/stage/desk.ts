import { isTerminal, TASK_STATES, type TaskState } from "@countersign/profile";
import { type JsonObject, parseJws } from "@countersign/wire";
import { check } from "../check.ts";
import type { Holder, PendingApproval } from "../holder/holder.ts";
import { APPROVAL_MS, POLL_CAP_MS, RECEIPT_MS, SETTLE_MS } from "../limits.ts";
import type { AgentPort, Answer } from "../transport/transport.ts";
import { until } from "../wait.ts";
import { listRequest, objectOf, orderRequest, type Refs } from "./requests.ts";

/** One agent with one grant of one account, at work: the steps that cases share. Each of them checks itself. */
export class Desk {
  readonly port: AgentPort;
  readonly holder: Holder;
  readonly refs: Refs;

  constructor(port: AgentPort, holder: Holder, refs: Refs) {
    this.port = port;
    this.holder = holder;
    this.refs = refs;
  }

  order(change: JsonObject = {}): JsonObject {
    return orderRequest(this.refs, change);
  }

  list(change: JsonObject = {}): JsonObject {
    return listRequest(this.refs, change);
  }

  /** Submits what must make a task, and answers it as it came. */
  async submit(request: JsonObject): Promise<{ readonly taskId: string; readonly answer: Answer }> {
    const answer = await this.port.submit(request);
    check(answer.status === 201, "a good request under a live grant makes a task (201)", brief(answer));
    const { task_id: taskId } = answer.body;
    check(typeof taskId === "string" && taskId !== "", "the answer names the task", brief(answer));
    return { taskId, answer };
  }

  /** Polls until the task is in one of the states or has ended; asks for nothing. */
  async look(taskId: string, states: readonly TaskState[], limitMs = SETTLE_MS): Promise<JsonObject> {
    const { last } = await until(
      () => this.port.task(taskId),
      ({ body }) => states.includes(stateOf(body)) || isTerminal(stateOf(body)),
      limitMs,
      ({ body }) => pauseOf(body),
    );
    check(last.status === 200, "an agent can read its own task", brief(last));
    return last.body;
  }

  /** As {@link look}, and the task must be in one of the states. */
  async reaches(taskId: string, states: readonly TaskState[], limitMs = SETTLE_MS): Promise<JsonObject> {
    const body = await this.look(taskId, states, limitMs);
    check(states.includes(stateOf(body)), `the task becomes ${states.join(" or ")}`, body);
    return body;
  }

  /** Submits an order and waits for the record that its holder is asked about. */
  async pending(change: JsonObject = {}): Promise<{ readonly taskId: string; readonly approval: PendingApproval }> {
    const { taskId } = await this.submit(this.order(change));
    await this.reaches(taskId, ["approval_required"]);
    return { taskId, approval: await this.asked(taskId) };
  }

  /** The record that now waits for the holder. */
  async asked(taskId: string): Promise<PendingApproval> {
    const approval = await this.holder.approvalFor(taskId, APPROVAL_MS);
    check(approval !== undefined, "the account holder is asked about the action");
    return approval;
  }

  async approve(approval: PendingApproval): Promise<void> {
    const decided = await this.holder.decide(approval, "approved");
    check(decided === "taken", "the account holder's own decision on the record they were shown is taken");
  }

  /** The newest receipt of a task as the agent reads it. */
  async receipt(taskId: string): Promise<{ readonly jws: string; readonly record: JsonObject }> {
    const { last } = await until(
      () => this.port.receipt(taskId),
      (answer) => answer.status === 200,
      RECEIPT_MS,
    );
    const { receipt: jws } = last.body;
    check(last.status === 200 && typeof jws === "string", "a task that ended has a receipt", brief(last));
    const parsed = parseJws(jws);
    check(parsed.ok && parsed.value.kind === "receipt", "the receipt is a signed record of the profile's form");
    return { jws, record: parsed.value.payload };
  }

  /** The states that the task's events tell, in order; for a task that has ended. */
  async trail(taskId: string): Promise<readonly string[]> {
    const { answer, events } = await this.port.events(taskId, 0);
    check(events !== undefined, "a task's events can be read", brief(answer));
    return events.map((event) => event.state);
  }
}

export function stateOf(body: JsonObject): TaskState {
  const { state } = body;
  return TASK_STATES.find((known) => known === state) ?? "received";
}

export function brief(answer: Answer): JsonObject {
  return { status: answer.status, ...objectOf(answer.body) };
}

/** What the gateway itself asks for between two looks. */
function pauseOf(body: JsonObject): number {
  const { poll_after_ms: pause } = body;
  return typeof pause === "number" && pause > 0 ? pause : POLL_CAP_MS;
}
