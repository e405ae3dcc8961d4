import type { TaskView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Fact } from "../parts/facts.tsx";
import { Ago, When } from "../parts/when.tsx";

/** How far a read is that goes on by itself. */
export function Watched({ watch }: { readonly watch: TaskView["watch"] }) {
  if (watch === undefined) return null;
  return (
    <>
      <Fact label={M.tasks.watchedUntil}>
        <When at={watch.ends_at} />
      </Fact>
      <Fact label={M.tasks.lastLook}>
        {watch.looked_at === undefined ? M.tasks.noLookYet : <Ago at={watch.looked_at} />}
        {watch.unanswered === undefined ? null : `: ${M.tasks.unanswered}`}
      </Fact>
      {watch.next_look_at === undefined ? null : (
        <Fact label={M.tasks.nextLook}>
          <When at={watch.next_look_at} />
        </Fact>
      )}
    </>
  );
}

/** Whether it rests between two looks. */
export function isWatching(task: TaskView): boolean {
  return task.state === "executing" && task.watch?.next_look_at !== undefined;
}
