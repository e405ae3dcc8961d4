import type { FormField, ViewInput, ViewMessage } from "@countersign/plugin";
import type { TaskState } from "@countersign/profile";

export interface ContinuationView {
  readonly continuation_ref: string;
  /** `verification`: the site has received the task's submission and asks the person to confirm it (MFA-6). */
  readonly kind: "connect" | "task" | "verification";
  readonly destination_title: string;
  readonly origin: string;
  readonly route: string;
  readonly state: "waiting" | "begun" | "completed" | "expired";
  readonly expires_at: string;
  readonly mode?: "live" | "form" | "redirect";
  readonly fields?: readonly FormField[];
  /** `redirect`: the destination's own page, to which the person goes in their own browser. */
  readonly go_to?: string;
  /** When another browser session tried to go on with it, which it could not. */
  readonly tried_elsewhere_at?: string;
  readonly task?: { readonly task_id: string; readonly operation_title: string; readonly agent: string };
  readonly tries?: SignInTriesView;
}

/** Present when one password more may be tried at the site in this hour, or none: sites lock accounts. */
export interface SignInTriesView {
  readonly left: number;
  /** When the next one is possible; with none left. */
  readonly until?: string;
}

export interface FormAnswerView {
  /** `other_account`: signed in as somebody else than this account stands for; nothing was attached. */
  readonly kind: "more" | "refused" | "done" | "other_account";
  readonly fields?: readonly FormField[];
  readonly message?: string;
  /** The site's own name of the account that is signed in. */
  readonly account_name?: string;
  readonly expected_name?: string;
  /** After a verification: the task's state now. */
  readonly task_state?: TaskState;
  readonly tried_elsewhere_at?: string;
  /** `refused` with none left: nothing was sent to the site. */
  readonly tries?: SignInTriesView;
}

export interface CompletionView {
  /** `verified`: the site has said what came of it; `not_verified`: it still asks. */
  readonly outcome: "connected" | "not_signed_in" | "site_unavailable" | "other_account" | "verified" | "not_verified";
  readonly message?: string;
  readonly account_name?: string;
  readonly expected_name?: string;
  readonly account_ref?: string;
  readonly task_state?: TaskState;
  readonly tried_elsewhere_at?: string;
}

/**
 * A binary message is one picture: 4 bytes big-endian length of a JSON head `{id, width, height}`, the head, the JPEG.
 * The client answers each with `{type: "ack", id}`. Text messages are one of these.
 */
export type LiveServerMessage =
  | Exclude<ViewMessage, { readonly type: "frame" }>
  /** Whether this window drives or watches; `driven`: some window of the session drives. Told first, and when it changes. */
  | { readonly type: "role"; readonly role: "driver" | "watcher"; readonly driven: boolean };

/** `take`: this window wants to drive from now on; the one that drove watches. */
export type LiveClientMessage = ViewInput | { readonly type: "take" };
