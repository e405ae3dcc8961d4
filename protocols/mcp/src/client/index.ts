export { type LookedAt, type LookProblem, lookAtTools } from "./look.ts";
export { createMcpRoute, type McpEntry } from "./route.ts";
export type { McpSession } from "./session.ts";
export { type McpSiteSetting, mcpSite } from "./site.ts";
export { toolDigest } from "./tools.ts";
export type { McpUpstream, RegisteredClient, UpstreamSignIn } from "./upstream.ts";
