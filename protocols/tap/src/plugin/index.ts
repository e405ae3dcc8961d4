export { TAP, type TapSettings, tap, tapPlugin, tapVerifierIn } from "./plugin.ts";
export { keySourcePoint, signerPoint, type TapKeys } from "./points.ts";
