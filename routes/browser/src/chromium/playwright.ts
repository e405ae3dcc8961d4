import { createRequire } from "node:module";

type Playwright = typeof import("playwright-core");

/** Loaded when the first browser is needed: it costs a gateway that uses none 50 MB and the better part of a second. */
export function playwright(): Playwright {
  const load: (name: string) => Playwright = createRequire(import.meta.url);
  return load("playwright-core");
}
