export { destinationKey } from "./destination-key.ts";
export type { TokenMaterial } from "./material.ts";
export { createHttpRoute, type HttpSite } from "./route.ts";
export type { ApiCall, ApiResponse, HttpSession } from "./session.ts";
export type { FormValues, HttpSignIn, SignInStep, SubmitStep } from "./sign-in.ts";
