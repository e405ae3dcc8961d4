import { GATEWAY_ORIGIN, type HttpEntry, httpPlace, isHttpEntry } from "@countersign/plugin";
import type { OfPlugin } from "../../binding.ts";
import { CLIENT_PAGES } from "../console.ts";

/** First names of the gateway's own paths; nothing of a plugin stands under one, whatever the case of its letters. */
const OWN: ReadonlySet<string> = new Set([
  "v1",
  "api",
  "trusted",
  "oauth",
  "assets",
  "authorize",
  "device",
  "protocols",
  "healthz",
  "readyz",
  "openapi.json",
  ...CLIENT_PAGES.map((page) => page.split("/")[1] ?? ""),
]);
/** Well-known documents are claimed one by one; these are the gateway's and its authorization server's. */
const OWN_WELL_KNOWN = /^(oauth-|openid-|countersign-|agentic-web-execution$|webauthn$|change-password$)/;

/** Whether a path is one of the gateway's own, as far as plugins are concerned. */
export function isOwnPath(path: string): boolean {
  const [first = "", second = ""] = path.slice(1).toLowerCase().split("/");
  return first === "" || OWN.has(first) || (first === ".well-known" && (second === "" || OWN_WELL_KNOWN.test(second)));
}

/** What is wrong with a set of entries; none is served while anything is. */
export function placeProblems(issuer: string, entries: readonly OfPlugin<HttpEntry>[]): readonly string[] {
  const problems: string[] = [];
  const owners = new Map<string, string>();
  for (const { plugin, value } of entries) {
    if (!isHttpEntry(value)) {
      problems.push(`${plugin} serves something that is no entry, or at no place that can be claimed`);
      continue;
    }
    const where = `${value.method} ${value.path}`;
    // A counterpart's own origin needs a listener of its own, which nothing here opens.
    if (value.origin !== GATEWAY_ORIGIN && value.origin !== issuer) {
      problems.push(`${plugin}: ${where} stands at ${value.origin}, and only ${issuer} is served here`);
      continue;
    }
    if (isOwnPath(value.path) || (value.resource !== undefined && isOwnPath(value.resource))) {
      problems.push(`${plugin}: ${where} is the gateway's own place`);
      continue;
    }
    const place = httpPlace({ ...value, origin: GATEWAY_ORIGIN });
    const key = place.ok ? place.value : where;
    const other = owners.get(key);
    if (other !== undefined) problems.push(`${other} and ${plugin} both serve ${where}`);
    owners.set(key, plugin);
  }
  return problems;
}

/** The resource that tokens for an entry are for, as its URL. */
export function resourceOf(issuer: string, entry: HttpEntry): string {
  return `${issuer}${entry.resource ?? entry.path}`;
}

/** Every resource of a set of entries, once each. */
export function resourcesOf(issuer: string, entries: readonly OfPlugin<HttpEntry>[]): readonly string[] {
  const guarded = entries.filter(({ value }) => value.auth === "agent");
  return [...new Set(guarded.map(({ value }) => resourceOf(issuer, value)))];
}
