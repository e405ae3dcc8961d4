export type { Frame, Page } from "playwright-core";
export { type ChromiumMissing, ensureChromium } from "./chromium/ensure.ts";
export { type FindProblem, findChromium } from "./chromium/find.ts";
export { followIn, frameIn } from "./pages/frames.ts";
export { createVisits, isPageWith, pathOf, redirectPath, type SiteWords, type Visits } from "./pages/visits.ts";
export { type PinnedAddress, type Resolve, type ResolveProblem, resolvePublic } from "./proxy/resolve.ts";
export { type BrowserRouteOptions, createBrowserRoute, SandboxImpossible } from "./route.ts";
export type { BrowserSession, BrowserSignIn, BrowserSite, HoldOptions } from "./session/session.ts";
export { systemTimers, type Timers } from "./timers.ts";
