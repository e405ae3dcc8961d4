import type { ChangeKind } from "../change-kinds.ts";

export interface InboxItem {
  /** `unreached`: messages to the person do not arrive; the title is the channel. */
  readonly kind: "agent" | "consent" | "sign_in" | "verification" | "approval" | "review" | "unreached" | "security";
  /** A path of the console, for example `/approvals/act_…`. */
  readonly href: string;
  readonly title: string;
  readonly agent?: string;
  readonly account?: string;
  /** The task that waits for it. */
  readonly task_id?: string;
  readonly created_at: string;
  readonly expires_at?: string;
}

export interface InboxView {
  readonly items: readonly InboxItem[];
}

/** `changed`: something of these kinds changed; read it again. Nothing is said about what. */
export interface ChangesView {
  readonly kinds: readonly ChangeKind[];
}
