import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { brief, Desk } from "../stage/desk.ts";
import type { AgentPort, Answer } from "../transport/transport.ts";

const UNKNOWN = {
  task: "task_conformance_unknown",
  consent: "cons_conformance_unknown",
  account: "acct_conformance_unknown",
};

/** REQ-2: no answer tells whether a reference exists. */
export const req2: ConformanceCase = {
  id: "REQ-2",
  requirements: ["REQ-2", "PUB-1"],
  group: "Requests",
  claim: "For whoever it does not belong to, every reference answers as an unknown one does, byte for byte.",
  async run(scene) {
    const desk = await scene.desk();
    const { taskId } = await desk.pending();
    const strangers: [string, AgentPort][] = [];
    if (scene.stage.second !== undefined) strangers.push(["another tenant's agent", scene.stage.second.port(0)]);
    if (scene.stage.first.ports.length > 1)
      strangers.push(["another agent of the same holder", scene.stage.first.port(1)]);
    // That account is no secret between two agents that its holder both let in; the task and the grant are.
    for (const [who, port] of strangers) {
      scene.did(`${who} asked for our task and our grant`);
      for (const [what, ask] of Object.entries(questions(port))) {
        const [foreign, unknown] = [await ask(taskId, desk.refs.consentRef), await ask(UNKNOWN.task, UNKNOWN.consent)];
        alike(what, foreign, unknown);
      }
      const [foreign, unknown] = [
        await port.submit({ ...desk.order(), account_ref: UNKNOWN.account }),
        await port.submit({ ...desk.order(), account_ref: UNKNOWN.account, consent_ref: UNKNOWN.consent }),
      ];
      alike("a submission", foreign, unknown);
    }
    check(strangers.length > 0, "there is somebody to whom the reference does not belong");
    const still = await new Desk(desk.port, desk.holder, desk.refs).look(taskId, ["approval_required"]);
    check(still["state"] === "approval_required", "the task that strangers tried to cancel still waits", still);
  },
};

function questions(port: AgentPort): Record<string, (task: string, consent: string) => Promise<Answer>> {
  return {
    "the task": (task) => port.task(task),
    "its result": (task) => port.result(task),
    "its receipt": (task) => port.receipt(task),
    "its events": async (task) => (await port.events(task, 0)).answer,
    "its cancellation": (task) => port.cancel(task),
    "the grant": (_task, consent) => port.consent(consent),
  };
}

function alike(what: string, foreign: Answer, unknown: Answer): void {
  check(foreign.status === 404, `${what} is not found for a stranger`, brief(foreign));
  check(foreign.visible === unknown.visible, `${what} is answered exactly as an unknown one`, {
    foreign: foreign.visible,
    unknown: unknown.visible,
  });
}
