// What an adapter of a site needs, in one place: the contract, the readings of a page's texts, and the small words of
// the wire. A route gives its own session beside it (`@countersign/route-http`, `@countersign/route-browser`).
export type { ActionRecord } from "@countersign/profile";
export {
  addMinor,
  assert,
  currencyDigits,
  err,
  formatMoney,
  isJsonObject,
  type Json,
  type JsonObject,
  type Money,
  multiplyMinor,
  ok,
  parseInstant,
  type Result,
  type Secret,
  secret,
} from "@countersign/wire";
export type {
  AccountIdentity,
  CommitAdapter,
  Confirmation,
  Found,
  Held,
  Observed,
  Prepared,
  Read,
  ReadAdapter,
  Recognised,
  Site,
  SiteEntry,
  SiteRecord,
  Step,
  Submission,
  Verification,
  VerificationAnswer,
} from "../seams/adapter.ts";
export { SiteTrouble } from "../seams/adapter.ts";
export type { AccountDetail, Ctx } from "../seams/ctx.ts";
export type { Answer, RequestPattern, Session } from "../seams/session.ts";
export { type AmountPage, type AmountProblem, readAmount, readCount } from "./amount.ts";
export { answerJson } from "./answer.ts";
export { type DateProblem, readDate } from "./date.ts";
export { asksDocument } from "./graphql.ts";
export type { PageText } from "./locale.ts";
export { holdsSecret, MASKED_PERSONAL, MASKED_SECRET, maskJson, maskText, type ToMask } from "./mask.ts";
export {
  type Fingerprint,
  fingerprintOf,
  type Matched,
  matchOwn,
  type OwnActs,
  ownReference,
  readFingerprint,
  traceOf,
} from "./own-reference.ts";
export { type Attempt, gap, must, type Stop, wantsSignIn } from "./stop.ts";
export { type Wish, wishOf } from "./wish.ts";
