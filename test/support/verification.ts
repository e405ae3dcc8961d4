import { assert, type JsonObject } from "@countersign/wire";
import { type Agent, orderRequest } from "./agent.ts";
import { type Reply, until } from "./http.ts";
import type { Person } from "./person.ts";

export interface Refs {
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
}

/** An order that has been approved and sent, and that the bank now wants confirmed (MFA-6). */
export async function orderThatWaits(
  { agent, person, refs }: { readonly agent: Agent; readonly person: Person; readonly refs: Refs },
  change: JsonObject = {},
): Promise<{ readonly taskId: string; readonly ref: string }> {
  person.world.shop.control.verifyPayment({ times: 1 });
  const submitted = await agent.post("/v1/tasks", orderRequest(refs, change));
  const taskId = String(submitted.json["task_id"]);
  await agent.reaches(taskId, "approval_required");
  const decided = await person.decide(await person.approvalFor(taskId), "approved");
  assert(decided.status === 200, `the person approves: ${decided.text}`);
  const ref = await waitsForBank(agent, taskId);
  return { taskId, ref };
}

export async function waitsForBank(agent: Agent, taskId: string): Promise<string> {
  const waiting = await until(
    () => agent.task(taskId),
    (r) => r.json["state"] === "executing" && r.json["continuation_ref"] !== undefined,
    "the verification",
  );
  return String(waiting.json["continuation_ref"]);
}

export async function begin(person: Person, ref: string): Promise<void> {
  const begun = await person.post(`/continuations/${ref}/begin`);
  assert(begun.status === 200 && begun.json["mode"] === "form", `the form begins: ${begun.text}`);
}

export function sendCode(person: Person, ref: string, code: string): Promise<Reply> {
  return person.post(`/continuations/${ref}/form`, { values: { code } });
}

/** The code that the bank has sent. */
export function bankCode(person: Person): string {
  const code = person.world.shop.control.bankCode();
  assert(code !== undefined, "a payment waits for the bank's code");
  return code;
}
