import { checkGrant } from "../../packages/gateway/src/consent/check.ts";
import { judgeCrossing } from "../../packages/gateway/src/execution/judge.ts";
import { absenceCounts } from "../../packages/gateway/src/execution/windows.ts";
import { step } from "../../packages/gateway/src/machine/step.ts";

/**
 * Everything that decides. The functions are the gateway's own; what it does by the rows alone (a unique key, one
 * claim an account, the fence) stands here by name. Tests put a weaker one in the place of each and expect to be shown
 * why it is needed.
 */
export interface Rules {
  readonly step: typeof step;
  readonly judge: typeof judgeCrossing;
  readonly checkGrant: typeof checkGrant;
  readonly absenceCounts: typeof absenceCounts;
  /** Whether a crossed request may still leave; the egress asks it when the connection stands. */
  readonly mayLeave: (now: number, sendBefore: number) => boolean;
  /** `approval_use` has a unique key. */
  readonly usesApprovalOnce: boolean;
  /** `submission` has a unique key. */
  readonly submitsOnce: boolean;
  /** Two tasks of one account never run at the same time. */
  readonly oneTaskAnAccount: boolean;
  /** A lease that has run out can be renewed as long as nobody has taken the task. */
  readonly revivesLeases: boolean;
  /** A worker writes only while version and fence are those that it read. */
  readonly writesUnderFence: boolean;
}

export const SHIPPED: Rules = {
  step,
  judge: judgeCrossing,
  checkGrant,
  absenceCounts,
  mayLeave: (now, sendBefore) => now < sendBefore,
  usesApprovalOnce: true,
  submitsOnce: true,
  oneTaskAnAccount: true,
  revivesLeases: false,
  writesUnderFence: true,
};
