import type { TaskView as AgentsTaskView, TaskState } from "@countersign/profile";
import type { JsonObject } from "@countersign/wire";

export interface TaskView {
  readonly task_id: string;
  readonly operation: string;
  readonly operation_title: string;
  readonly state: TaskState;
  readonly reason?: string;
  readonly reason_title?: string;
  readonly next_step: string;
  readonly agent: string;
  readonly account: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly needs_review: boolean;
  /** Who the request showed to have sent it, where the gateway asks; it permits nothing. */
  readonly called_by?: CalledByView;
  /** Of a read that goes on by itself, as its agent sees it. */
  readonly watch?: NonNullable<AgentsTaskView["watch"]>;
  /** The store was restored and only the person can tell whether this was done: `POST /tasks/{task_id}/looked`. */
  readonly asks_what_was_seen?: true;
  readonly events?: readonly TaskEventView[];
  readonly receipt?: JsonObject;
}

/** `agent` is the URL whose keys signed the request. */
export type CalledByView =
  | { readonly outcome: "verified"; readonly agent: string; readonly key_id: string }
  | { readonly outcome: "unsigned" }
  | { readonly outcome: "unverified" | "invalid"; readonly reason: string };

/** What the person saw at the site. `not_done`: the task goes on. `done`: it is closed, the gateway saw nothing itself. */
export interface LookedAnswer {
  readonly found: "done" | "not_done";
}

/** A record of the site's own, kept as it came; never the gateway's word. Its bytes are at `tasks/:id/records/:record`. */
export interface MerchantRecordView {
  readonly record_id: string;
  readonly source: "merchant";
  readonly kind: string;
  readonly media_type: string;
  readonly bytes: number;
  /** As the gateway's receipt names it. */
  readonly sha256: string;
  readonly signature_checked: boolean;
  readonly by?: string;
  readonly received_at: string;
}

export interface TaskEventView {
  readonly seq: number;
  readonly at: string;
  readonly state: TaskState;
  readonly reason?: string;
  readonly step?: string;
  readonly label?: string;
}

/** A task's receipt in a line. */
export interface ReceiptSummary {
  readonly task_id: string;
  readonly operation_title: string;
  readonly outcome: string;
  readonly account_seq: number;
  readonly finished_at: string;
  readonly agent: string;
  readonly account: string;
  /** What the site charged, where the receipt says so. */
  readonly total?: { readonly total_minor: number; readonly currency: string };
  /** The site did or charged something else than was approved. */
  readonly flagged: boolean;
}
