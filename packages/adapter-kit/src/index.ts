export {
  type AdapterCheck,
  type CheckSite,
  detailRef,
  type Effect,
  FAULTS,
  type FaultName,
  type OperationCheck,
} from "./contract.ts";
export { findCheck, loadCheck } from "./load.ts";
export { PROMISES, type PromiseName } from "./promises.ts";
export { type Exchange, parseRecording, type Recording, recordedSite } from "./recorded.ts";
export { type Break, type CheckReport, type NotTried, reportLines } from "./report.ts";
export { type RunOptions, runCheck } from "./run.ts";
export { ADAPTER_NAME, ADAPTER_NAME_CHARS_MAX, type Skeleton, skeletonFiles } from "./scaffold.ts";
