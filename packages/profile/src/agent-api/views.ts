import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { REASONS, type Reason } from "../reasons/reasons.ts";
import { TASK_STATES } from "../states/states.ts";
import { WITHDRAWALS } from "./constants.ts";

// What the gateway's HTTP binding answers to an agent, written once: the gateway's own code is typed by it, the OpenAPI
// document is made from it, and the client takes its types from it. Members may be added, so a reader lets unknown ones be.

const REF_CHARS_MAX = 128;
const ref = z.string().max(REF_CHARS_MAX);
const time = z.iso.datetime({ offset: true });
const reason = z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]);
/** A number that grows with each move of a task: of two reports about one task the higher one is the later. */
const revision = z.int().min(1);
const object = z
  .custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value))
  .meta({ type: "object" });

export const taskView = z.object({
  task_id: ref,
  request_id: ref,
  state: z.enum(TASK_STATES),
  revision,
  operation: ref,
  account_ref: ref,
  reason: reason.exactOptional(),
  /** The agent's own equal task that this one waits for (STA-7). */
  held_by: ref.exactOptional(),
  approval_ref: ref.exactOptional(),
  /** The record that the account holder is deciding on now, and until when they can. Knowing it decides nothing. */
  decision: z.object({ action_digest: ref, expires_at: time }).exactOptional(),
  /** Where the account holder goes on; it carries no authority. */
  continuation_ref: ref.exactOptional(),
  /** Who the request showed to have sent it, where the gateway asks that; it permits nothing. */
  called_by: z
    .object({
      outcome: z.enum(["verified", "unverified", "invalid", "unsigned"]),
      /** The URL whose keys signed the request, and the key among them. */
      agent: z.string().exactOptional(),
      key_id: z.string().exactOptional(),
      reason: z.string().exactOptional(),
    })
    .exactOptional(),
  /** Of a read that goes on by itself: it is looked at again until there is something to report, or until it ends. */
  watch: z
    .object({
      ends_at: time,
      /** How often the destination has answered. */
      looks: z.int().min(0),
      looked_at: time.exactOptional(),
      next_look_at: time.exactOptional(),
      /** How often it has not, since it last did. */
      unanswered: z.int().min(1).exactOptional(),
    })
    .exactOptional(),
  next_step: z.string(),
  poll_after_ms: z.int().min(0),
  created_at: time,
  updated_at: time,
  result_ref: z.string().exactOptional(),
  receipt_ref: z.string().exactOptional(),
});
export type TaskView = z.infer<typeof taskView>;

export const tasksView = z.object({ tasks: z.array(taskView) });
export type TasksView = z.infer<typeof tasksView>;

/** A task after it was asked to stop, with what the asking did (STA-5). */
export const withdrawnView = taskView.extend({ withdrawal: z.enum(WITHDRAWALS) });
export type WithdrawnView = z.infer<typeof withdrawnView>;

/** One numbered event of a task's stream. */
export const taskEventView = z.object({
  seq: z.int().min(1),
  at: time,
  state: z.enum(TASK_STATES),
  reason: reason.exactOptional(),
  step: z.string().exactOptional(),
  label: z.string().exactOptional(),
});
export type TaskEventView = z.infer<typeof taskEventView>;

export const resultView = z.object({ task_id: ref, operation: ref, result: object, expires_at: time });
export type ResultView = z.infer<typeof resultView>;

/** The newest receipt of a task, signed, with the key set that it is checked with. */
export const receiptView = z.object({
  receipt_id: ref,
  account_seq: z.int(),
  receipt: z.string(),
  keys: z.string(),
});
export type ReceiptView = z.infer<typeof receiptView>;

export const accountsView = z.object({
  accounts: z.array(
    z.object({
      account_ref: ref,
      destination: z.string(),
      connections: z.array(
        z.object({ route: z.string(), state: z.enum(["connected", "reauthentication_required", "disconnected"]) }),
      ),
    }),
  ),
});
export type AccountsView = z.infer<typeof accountsView>;

export const capabilitiesView = z.object({
  account_ref: ref,
  destination: z.string(),
  operations: z.array(
    z.object({
      operation: ref,
      title: z.string(),
      effect: z.enum(["read", "commit"]),
      routes: z.array(z.string()),
      /** JSON Schemas of what is sent and of what comes back. */
      parameters: object,
      result: object,
      approval: z.string().exactOptional(),
    }),
  ),
  /** Rows of the account that a request may name, such as an address. */
  references: z.array(z.object({ ref, kind: z.string(), label: z.string() })),
});
export type CapabilitiesView = z.infer<typeof capabilitiesView>;

export const consentView = z.object({
  consent_ref: ref,
  state: z.enum(["requested", "granted", "refused", "revoked", "expired"]),
  destination: z.string(),
  account_ref: ref.exactOptional(),
  operations: z.array(z.string()).exactOptional(),
  routes: z.array(z.string()).exactOptional(),
  limits: object.exactOptional(),
  /** What this agent's own use has left of the limits. */
  left: object.exactOptional(),
  expires_at: time.exactOptional(),
  next_step: z.string(),
});
export type ConsentView = z.infer<typeof consentView>;

export const consentsView = z.object({ consents: z.array(consentView) });
export type ConsentsView = z.infer<typeof consentsView>;

/** A problem document (RFC 9457). */
export const problemView = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  reason,
  /** RFC 6901 pointers into the request with the rule that each breaks. */
  problems: z.array(z.object({ pointer: z.string(), rule: z.string() })).exactOptional(),
  task_id: ref.exactOptional(),
});
export type ProblemView = z.infer<typeof problemView>;
