/** Names that must not be mixed up get their own type; each is an opaque string (REQ-2). */
export type TenantId = string & { readonly __brand: "TenantId" };
export type PersonId = string & { readonly __brand: "PersonId" };
export type AgentId = string & { readonly __brand: "AgentId" };
export type AccountRef = string & { readonly __brand: "AccountRef" };
export type ConsentRef = string & { readonly __brand: "ConsentRef" };
export type TaskId = string & { readonly __brand: "TaskId" };
/** A typed operation of the catalogue, for example `retail.order.submit` (REQ-3). */
export type OperationId = string;
export type RouteKind = "browser" | "http" | "mcp" | "a2a" | "ucp" | "agentic_commerce" | "pap";
