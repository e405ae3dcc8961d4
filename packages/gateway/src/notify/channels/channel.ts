import type { Result } from "@countersign/wire";
import type { ChannelName, NoticeKind } from "../kinds.ts";

/** A message as every channel gets it: made by `words.ts`, in plain text. */
export interface Message {
  /** The same for each try, so that a receiver can tell a second copy. */
  readonly id: string;
  readonly kind: NoticeKind | "several";
  readonly personId: string;
  readonly subject: string;
  readonly text: string;
  /** Where to go; it holds no authority. */
  readonly url: string;
  readonly createdAt: number;
  /** Until when it can be acted upon. */
  readonly expiresAt?: number;
}

/** `later`: worth another try. `never`: this will not get better by itself. */
export type SendProblem = { readonly retry: "later" | "never"; readonly code: string };

export interface Channel {
  readonly name: ChannelName;
  /** `to` is the person's address; a channel that knows its receiver ignores it. */
  send(message: Message, to: string | undefined): Promise<Result<undefined, SendProblem>>;
  close(): void;
}
