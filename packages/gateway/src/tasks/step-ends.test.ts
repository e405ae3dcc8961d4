import { expect, it } from "vitest";
import { createStepEnds } from "./step-ends.ts";

const TASK = { clientId: "agent_1", taskId: "task_1" };

it("a wait ends with the next step of its own task, for all who wait", async () => {
  const steps = createStepEnds();
  const woken: string[] = [];
  const { signal } = new AbortController();
  const both = Promise.all([
    steps.next(TASK, signal).then(() => woken.push("first")),
    steps.next(TASK, signal).then(() => woken.push("second")),
  ]);
  steps.ended({ ...TASK, taskId: "task_2" });
  steps.ended({ ...TASK, clientId: "agent_2" });
  await Promise.resolve();
  expect(woken).toEqual([]);
  steps.ended(TASK);
  await both;
  expect(woken).toEqual(["first", "second"]);
});

it("a wait that nobody listens to any more ends, and leaves nothing behind", async () => {
  const steps = createStepEnds();
  const gone = new AbortController();
  const wait = steps.next(TASK, gone.signal);
  gone.abort();
  await wait;
  await steps.next(TASK, gone.signal);
  const later = steps.next(TASK, new AbortController().signal);
  steps.ended(TASK);
  await later;
});
