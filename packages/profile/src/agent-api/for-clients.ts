// All of the contract that a client needs at run time, without what validates it: small enough for a page.
export { PROFILE_ID } from "../limits.ts";
export { isReason, REASONS, type Reason } from "../reasons/reasons.ts";
export type { RequestEnvelope } from "../request/request.ts";
export { isTerminal, TASK_STATES, type TaskState, TERMINAL_STATES } from "../states/states.ts";
export {
  TASK_CHANGED,
  WEBHOOK_LIFE_MS,
  WEBHOOK_SECRET_PREFIX,
  WEBHOOK_TOLERANCE_MS,
  WEBHOOK_URL_CHARS_MAX,
  WITHDRAWALS,
} from "./constants.ts";
export type {
  AccountsView,
  CapabilitiesView,
  ConsentsView,
  ConsentView,
  ProblemView,
  ReceiptView,
  ResultView,
  TaskEventView,
  TasksView,
  TaskView,
  WithdrawnView,
} from "./views.ts";
export type { NewWebhookView, TaskChanged, WebhookRequest, WebhooksView, WebhookView } from "./webhooks.ts";
