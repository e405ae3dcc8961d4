export type { DestinationSetting, SettingProblem } from "./destinations.ts";
export { createEgress, type Egress, EgressError } from "./egress/egress.ts";
export { createGuard, type Guard, type GuardProblem, type PinnedAddress, pinHost } from "./egress/guard.ts";
export { fromKernel, type Gateway, type GatewayOptions, type StartProblem, startGateway } from "./gateway.ts";
export { holderBundle } from "./holder-bundle.ts";
export type { ConsoleFiles } from "./http/console.ts";
export { createLog, type LogLevel } from "./log.ts";
export type { GatewayPort, SubmitAnswer } from "./port.ts";
export { readOwner } from "./store/lock.ts";
