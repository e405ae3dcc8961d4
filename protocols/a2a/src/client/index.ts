export type { CardSkill } from "../card/read/shape.ts";
export type { ClientExtension } from "../extensions/extension.ts";
export { type AgentIdentity, GET_TASK_NAME, getTaskDigest, type RemoteAgent, skillDigest } from "./agent.ts";
export { bindingProblem } from "./entry.ts";
export { type LookedAt, lookAtCard } from "./look.ts";
export { type A2aRouteOptions, createA2aRoute } from "./route.ts";
export { type A2aSiteSetting, a2aSite } from "./site.ts";
