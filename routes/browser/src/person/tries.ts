import type { SignInTries, TryKind, ViewNotice } from "@countersign/plugin";
import type { WatchedRequest } from "../door/door.ts";
import { SIGN_IN_BODY_MAX_BYTES, TRIED_LOOK_MS } from "../limits.ts";
import { type Timers, within } from "../timers.ts";
import type { TaskContext } from "./person-browser.ts";
import { carriedTries, namedTries } from "./tried-in.ts";

export interface TriesOptions {
  readonly task: TaskContext;
  readonly timers: Timers;
  readonly tries: SignInTries;
  tell(notice: Omit<ViewNotice, "type">): void;
}

/**
 * The lock-out guard of the live view. Each request that would try a password or a one-time code at the site stands
 * still at the door until the gateway has counted it; one too many does not leave, and the person is told before the
 * last one and after it. Nothing of the body is kept.
 */
export function guardTries(options: TriesOptions): void {
  const { task, tries, tell } = options;
  task.door.watch(task.contextId, async ({ body }) => {
    for (const kind of await triedIn(options, body)) {
      const answer = await tries.take(kind);
      if (answer.kind === "spent") {
        tell({ code: "tries_spent", at: answer.until });
        return false;
      }
      if (answer.left === 1) tell({ code: "last_try" });
    }
    return true;
  });
}

async function triedIn({ task, timers }: TriesOptions, body: WatchedRequest["body"]): Promise<ReadonlySet<TryKind>> {
  if (body.length > SIGN_IN_BODY_MAX_BYTES) return new Set();
  const text = body.toString("utf8");
  const named = namedTries(text);
  if (named.length > 0) return new Set(named);
  const frames = task.context.pages().flatMap((page) => page.frames());
  const look = Promise.all(frames.map((frame) => frame.evaluate(carriedTries, text).catch(() => [])));
  const looked = await within(timers, TRIED_LOOK_MS, look).catch(() => undefined);
  return new Set(looked?.ok === true ? looked.value.flat() : []);
}
