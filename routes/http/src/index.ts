export { bodyOf, type Shape } from "./body.ts";
export { destinationKey } from "./destination-key.ts";
export {
  type Draft,
  type DraftedCommit,
  type DraftRequest,
  draftedCommit,
  type Gone,
} from "./drafted-commit.ts";
export type { Exchanged } from "./exchange.ts";
export type { ApiKeySignIn } from "./key/api-key.ts";
export type { TokenMaterial } from "./material.ts";
export type { OAuthSignIn } from "./oauth/token-endpoint.ts";
export { createHttpRoute, type HttpSite } from "./route.ts";
export type { HttpAnswer, HttpInit, HttpSession } from "./session.ts";
export type {
  CookieSignIn,
  FormFirst,
  FormValues,
  HttpSignIn,
  SignInAnswer,
  SignInHttp,
  SignInStep,
  SubmitStep,
} from "./sign-in.ts";
