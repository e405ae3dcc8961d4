export { CASE_GROUPS, type CaseGroup, type ConformanceCase } from "./case.ts";
export { CASES } from "./cases/all.ts";
export { CheckFailed, NotApplicable, SuiteTrouble } from "./check.ts";
export { countersignDriver } from "./holder/countersign.ts";
export type { Cast, Door, DriverSettings, Holder, HolderDriver, PendingApproval } from "./holder/holder.ts";
export { loadDriver } from "./holder/load.ts";
export type { AgentCredential, Operator } from "./holder/operator.ts";
export { reportLines } from "./report/people.ts";
export {
  type CaseReport,
  type ConformanceReport,
  conformanceReport,
  REPORT_NOTICE,
  REPORT_SCHEMA_ID,
  reportJsonSchema,
} from "./report/report.ts";
export { type RunSettings, runConformance } from "./run/run.ts";
export type { Shop, ShopCounters, ShopOrder } from "./shop/control.ts";
export type { AgentAccess, AgentPort, AgentTransport, Answer } from "./transport/transport.ts";
