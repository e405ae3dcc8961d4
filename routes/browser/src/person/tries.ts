import type { SignInTries, ViewNotice } from "@countersign/plugin";
import type { WatchedRequest } from "../door/door.ts";
import { PASSWORD_LOOK_MS, SIGN_IN_BODY_MAX_BYTES } from "../limits.ts";
import { type Timers, within } from "../timers.ts";
import { carriesPassword, namesPassword } from "./password-request.ts";
import type { TaskContext } from "./person-browser.ts";

export interface TriesOptions {
  readonly task: TaskContext;
  readonly timers: Timers;
  readonly tries: SignInTries;
  tell(notice: Omit<ViewNotice, "type">): void;
}

/**
 * The lock-out guard of the live view. Each request that would try a password at the site stands still at the door until
 * the gateway has counted it; one too many does not leave, and the person is told before the last one and after it.
 * Nothing of the body is kept.
 */
export function guardTries(options: TriesOptions): void {
  const { task, tries, tell } = options;
  task.door.watch(task.contextId, async ({ body }) => {
    if (!(await triesPassword(options, body))) return true;
    const answer = await tries.take();
    if (answer.kind === "spent") tell({ code: "tries_spent", at: answer.until });
    else if (answer.left === 1) tell({ code: "last_try" });
    return answer.kind === "go";
  });
}

async function triesPassword({ task, timers }: TriesOptions, body: WatchedRequest["body"]): Promise<boolean> {
  if (body.length > SIGN_IN_BODY_MAX_BYTES) return false;
  const text = body.toString("utf8");
  if (namesPassword(text)) return true;
  const frames = task.context.pages().flatMap((page) => page.frames());
  const look = Promise.all(frames.map((frame) => frame.evaluate(carriesPassword, text).catch(() => false)));
  const looked = await within(timers, PASSWORD_LOOK_MS, look).catch(() => undefined);
  return looked?.ok === true && looked.value.includes(true);
}
