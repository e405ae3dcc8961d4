export type {
  AccountIdentity,
  AnyAdapter,
  CommitAdapter,
  Found,
  Held,
  Observed,
  Prepared,
  Read,
  ReadAdapter,
  Recognised,
  Site,
  SiteEntry,
  Step,
  Submission,
} from "./seams/adapter.ts";
export { SiteTrouble } from "./seams/adapter.ts";
export type {
  AccountDetail,
  Ctx,
  Fetch,
  KeyRef,
  Log,
  LogFields,
  PluginCtx,
  PluginStore,
  PluginVault,
  StoredValue,
  VaultRef,
} from "./seams/ctx.ts";
export type {
  AccountRef,
  AgentId,
  ConsentRef,
  OperationId,
  PersonId,
  RouteKind,
  TaskId,
  TenantId,
} from "./seams/ids.ts";
export type {
  Destination,
  FormAnswer,
  FormField,
  FormSignIn,
  LiveSignIn,
  LiveView,
  OpenSession,
  Route,
  Verified,
  ViewInput,
  ViewMessage,
} from "./seams/route.ts";
export type { Answer, HeldExchange, HeldRequest, RequestPattern, Session } from "./seams/session.ts";
