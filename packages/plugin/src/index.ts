export { type Bindings, bindings } from "./calling/bindings.ts";
export type { BoundCall, CallAnswer, CallingSession, ReadCallAnswer } from "./calling/calls.ts";
export { definitionDigest } from "./calling/definition.ts";
export { type CalledEntry, calledEntry } from "./calling/entry.ts";
export { type BuildOptions, type BuildResult, build, type Kernel, type Resolution } from "./kernel/build.ts";
export { type CheckInput, checkPlugin, type PointsFile } from "./kernel/check-plugin.ts";
export { askAll, type Decider, defineDecisionPoint, type Verdict } from "./kernel/decision.ts";
export {
  corePlugin,
  isDescription,
  type Layer,
  type ProtocolDescription,
  protocolsDescription,
} from "./kernel/description.ts";
export { type StartFailure, type StartOptions, type StopFailure, startPlugins } from "./kernel/lifecycle.ts";
export {
  type Bundle,
  type Contribution,
  DEFAULT_ORDER,
  type Disposer,
  definePlugin,
  type Entry,
  isPlugin,
  type Manifest,
  ORDER_MAX,
  type Plugin,
  type PluginId,
  type Put,
  type Scope,
} from "./kernel/plugin.ts";
export {
  type AnyPoint,
  definePoint,
  type FillablePoint,
  type Got,
  type Kind,
  type Override,
  type Point,
  type PointId,
  type ValueOf,
} from "./kernel/point.ts";
export type { Problem, ProblemCode } from "./kernel/problem.ts";
export { buildProtocols } from "./kernel/protocols.ts";
export {
  type AddressGuard,
  accessPoint,
  authorityPoint,
  bindingPoint,
  callerPoint,
  cataloguePoint,
  type EgressFactory,
  egressPoint,
  gatewayPlugin,
  httpPoint,
  identityPoint,
  isHttpEntry,
  operationPoint,
  type RouteFactory,
  routePoint,
} from "./kernel/seam-points.ts";
export { type CatalogueEntry, PROTOCOL_CATALOGUE } from "./listing/catalogue.ts";
export {
  byLayer,
  type ListedProtocol,
  listProtocols,
  type MissingProtocol,
  missingProtocols,
} from "./listing/listing.ts";
export type { AccessAnswer, AccessChallenge, AccessService } from "./seams/access.ts";
export type {
  AccountIdentity,
  AnyAdapter,
  AnySiteEntry,
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
} from "./seams/adapter.ts";
export { SiteTrouble } from "./seams/adapter.ts";
export type { CallerFinding, CallerIdentity, CallerJudge, ReceivedRequest } from "./seams/calling.ts";
export type {
  AccountDetail,
  Ctx,
  DelegatedToken,
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
export {
  GATEWAY_ORIGIN,
  HTTP_METHODS,
  type HttpMethod,
  httpPlace,
  type PlaceProblem,
} from "./seams/http-place.ts";
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
  Authority,
  AuthorityAnswer,
  Binding,
  Consume,
  Enrolment,
  HttpEntry,
  IdentityKey,
  IdentityKeys,
  IdentityKeysProblem,
  IdentitySigner,
} from "./seams/others.ts";
export type {
  Destination,
  FormAnswer,
  FormField,
  FormSignIn,
  KeptMaterial,
  LiveSignIn,
  LiveView,
  OpenSession,
  RedirectSignIn,
  ReturnAnswer,
  Route,
  SignInReturn,
  SignInTries,
  TryAnswer,
  TryKind,
  Verified,
  ViewEnd,
  ViewInput,
  ViewMessage,
  ViewNotice,
  ViewNoticeCode,
  ViewTab,
} from "./seams/route.ts";
export type { Answer, HeldExchange, HeldRequest, RequestPattern, Session } from "./seams/session.ts";
