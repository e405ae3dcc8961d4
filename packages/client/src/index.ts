export type {
  AccountsView,
  CapabilitiesView,
  ConsentsView,
  ConsentView,
  NewWebhookView,
  ReceiptView,
  ResultView,
  TaskChanged,
  TaskState,
  TaskView,
  WebhookView,
  WithdrawnView,
} from "@countersign/profile/agent-api";
export { isTerminal } from "@countersign/profile/agent-api";
export { type JsonObject, type Result, Secret, secret } from "@countersign/wire";
export { type Client, type ConsentAsk, createClient, type Submitted } from "./client.ts";
export type { CallOptions, ClientOptions } from "./http.ts";
export { LOCAL_REASONS, type LocalReason, type Problem, type ProblemReason } from "./problem.ts";
export type { Clock } from "./time.ts";
export { type RefreshOptions, refreshingToken, type TokenSource } from "./token.ts";
export type { WaitOptions } from "./wait.ts";
export {
  memoryOfIds,
  type ReceivedWebhook,
  type SeenIds,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookProblem,
} from "./webhook.ts";
export { derivedKey, type Wish } from "./wish.ts";
