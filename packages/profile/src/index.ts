export {
  TASK_CHANGED,
  WEBHOOK_LIFE_MS,
  WEBHOOK_SECRET_PREFIX,
  WEBHOOK_TOLERANCE_MS,
  WEBHOOK_URL_CHARS_MAX,
  WITHDRAWALS,
} from "./agent-api/constants.ts";
export {
  type AccountsView,
  accountsView,
  type CapabilitiesView,
  type ConsentsView,
  type ConsentView,
  capabilitiesView,
  consentsView,
  consentView,
  type ProblemView,
  problemView,
  type ReceiptView,
  type ResultView,
  receiptView,
  resultView,
  type TaskEventView,
  type TasksView,
  type TaskView,
  taskEventView,
  tasksView,
  taskView,
  type WithdrawnView,
  withdrawnView,
} from "./agent-api/views.ts";
export {
  type NewWebhookView,
  newWebhookView,
  type TaskChanged,
  taskChanged,
  type WebhookRequest,
  type WebhooksView,
  type WebhookView,
  webhookRequest,
  webhooksView,
  webhookView,
} from "./agent-api/webhooks.ts";
export {
  type Application,
  type ApplicationProblem,
  applicationFile,
  readApplication,
} from "./application/application.ts";
export { credentialPaths, looksLikeCredential } from "./application/credential-names.ts";
export {
  extensionKey,
  isExtensionUri,
  isReservedExtension,
  OWN_EXTENSION_PREFIX,
  OWN_EXTENSION_PREFIXES,
} from "./application/extension-uri.ts";
export { type Act, observedAct, requestedAct, type Told } from "./catalogue/act.ts";
export { buildCatalogue, OPERATIONS, withApprovals } from "./catalogue/catalogue.ts";
export { type CeilingAnswer, underCeiling } from "./catalogue/ceiling.ts";
export { type Comparison, comparePersonal, compareTerms, type Difference } from "./catalogue/compare.ts";
export type {
  Catalogue,
  Ceiling,
  CommitOperation,
  Compare,
  FieldMeaning,
  ItemMeaning,
  LimitMeaning,
  ListMeaning,
  Operation,
  ReadBackMeaning,
  ReadOperation,
  Repeats,
  Show,
  SumMeaning,
  TermsMeaning,
} from "./catalogue/model.ts";
export { retailOrderSubmit } from "./catalogue/operations/retail.order.submit.ts";
export { retailOrdersList } from "./catalogue/operations/retail.orders.list.ts";
export { subscriptionCancel } from "./catalogue/operations/subscription.cancel.ts";
export {
  APPROVAL_POLICIES,
  type ApprovalMethod,
  type ApprovalPolicy,
  approvalPolicy,
  type DemandedPolicy,
  demandedPolicy,
  recordedPolicy,
  satisfiesPolicy,
  tightestPolicy,
} from "./catalogue/policy.ts";
export { type CatalogueView, catalogueView, publishedCatalogue } from "./catalogue/published.ts";
export { type PurchaseTerms, purchaseTerms } from "./catalogue/shapes.ts";
export { sumsThatDisagree } from "./catalogue/sums.ts";
export {
  ID_CHARS_MAX,
  LINES_MAX,
  PROFILE_ID,
  QUANTITY_MAX,
  RECORD_BYTES_MAX,
  REQUEST_BYTES_MAX,
  REQUEST_DEPTH_MAX,
  ROWS_MAX,
  SITE_TEXT_BYTES_MAX,
} from "./limits.ts";
export { previewLine, TEXT_COLUMNS, textLines } from "./present/channels.ts";
export {
  displayLines,
  displayText,
  hostWarning,
  partsInPlace,
  present,
  type Shown,
  type ShownField,
  type ShownList,
  type ShownValue,
} from "./present/present.ts";
export { isReason, REASONS, type Reason, type ReasonWire } from "./reasons/reasons.ts";
export { type ActionRecord, actionRecord, type RouteRecord } from "./records/action.ts";
export { type ApprovalRecord, approvalRecord } from "./records/approval.ts";
export { buildKeySet, type KeyToList } from "./records/build.ts";
export { type EvidenceBundle, evidenceBundle, type InclusionProof } from "./records/bundle.ts";
export { canDisclose, type Disclosure, makeDisclosure, readDisclosure } from "./records/disclosure.ts";
export {
  type CheckpointRecord,
  checkpointRecord,
  type KeyRole,
  type KeySetRecord,
  keySetRecord,
  type ListedKey,
  type RevocationRecord,
  revocationRecord,
} from "./records/keys.ts";
export { EARLIER_KEYS_MAX, EVIDENCE_MAX, KEY_SET_BYTES_MAX, PATH_NODES_MAX } from "./records/limits.ts";
export { type CredentialRecord, credentialRecord, type PasskeyRecord, passkeyRecord } from "./records/passkey.ts";
export { type ReceiptRecord, receiptRecord } from "./records/receipt.ts";
export {
  ENTERED_KINDS,
  type EnteredKind,
  emailProblem,
  enteredProblems,
  type FieldProblem,
  type FieldRefusal,
  labelTells,
  phoneProblem,
  plainPhone,
} from "./references/entered.ts";
export { businessRecord, identifier, type RequestEnvelope, requestEnvelope, timestamp } from "./request/request.ts";
export {
  isTerminal,
  mayMove,
  NEXT_STEP,
  NEXT_STEP_HELD,
  NEXT_STEP_VERIFYING,
  NEXT_STEP_WATCHING,
  type Side,
  TASK_STATES,
  type TaskState,
  TERMINAL_STATES,
  TRANSITIONS,
} from "./states/states.ts";
export { type VerifyOptions, verifyBundle } from "./verify/bundle.ts";
export { type OpenedRecord, type VerifiedKeySet, verifyKeySet } from "./verify/keyset.ts";
export type { HeldCheckpoint } from "./verify/log.ts";
export {
  consistencyPath,
  type Hash,
  inclusionPath,
  leafBytes,
  leafHash,
  rootOf,
  type TreeHead,
  verifyConsistency,
  verifyInclusion,
} from "./verify/merkle.ts";
export { verifyReceipt } from "./verify/receipt.ts";
export {
  type EvidenceLevel,
  type Refusal,
  type RefusalCode,
  statementOf,
  type Verification,
  type VerificationReport,
} from "./verify/report.ts";
export { verifyAssertion } from "./verify/webauthn.ts";
export { levelInWords, noteInWords, refusalInWords } from "./verify/words.ts";
