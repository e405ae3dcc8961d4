import { mayMove, type Side, TASK_STATES, type TaskState } from "@countersign/profile";
import type { ConformanceCase } from "../case.ts";
import { check, checkEqual } from "../check.ts";
import { brief } from "../stage/desk.ts";

const MORE_TRIES = 2;

/** STA-1, lessons U16: the states as the draft has them, and their numbered events. */
export const sta1: ConformanceCase = {
  id: "STA-1",
  requirements: ["STA-1", "U16"],
  group: "Outcomes",
  claim: "A task moves by the profile's table alone; its events are numbered without a gap and can be resumed.",
  async run(scene) {
    const desk = await scene.desk();
    scene.did("followed a read and an order to their ends");
    const { taskId: read } = await desk.submit(desk.list());
    await desk.reaches(read, ["succeeded"]);
    const { taskId: order, approval } = await desk.pending();
    await desk.approve(approval);
    await desk.reaches(order, ["succeeded"]);
    for (const taskId of [read, order]) {
      const { answer, events } = await desk.port.events(taskId, 0);
      check(events !== undefined, "the events can be read", brief(answer));
      checkEqual(
        events.map((event) => event.seq),
        events.map((_, index) => index + 1),
        "they are numbered 1, 2, 3 without a gap",
      );
      const states = events.map((event) => event.state);
      scene.saw("states", states);
      checkEqual(states[0] ?? null, "received", "the first one is received");
      checkEqual(states.at(-1) ?? null, "succeeded", "the last one is the end");
      followsTable(states);
      const rest = await desk.port.events(taskId, MORE_TRIES);
      checkEqual(rest.events?.[0]?.seq ?? null, MORE_TRIES + 1, "reading on after one that was seen leaves none out");
    }
  },
};

function followsTable(states: readonly string[]): void {
  let from: TaskState = "received";
  let side: Side = "before";
  for (const state of states) {
    const to = TASK_STATES.find((known) => known === state);
    check(to !== undefined, `${state} is a state of the profile`);
    // Progress within a state is an event too; a repeated `executing` may be the crossing of the boundary.
    if (to !== from) {
      const allowed: Side | undefined = mayMove(side, from, to)
        ? side
        : mayMove("submitted", from, to)
          ? "submitted"
          : undefined;
      check(allowed !== undefined, `${from} may become ${to}`);
      side = allowed;
    }
    from = to;
  }
}
