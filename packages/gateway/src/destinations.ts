import type { AnySiteEntry, Destination, RequestPattern, Route, RouteKind, Site } from "@countersign/plugin";
import { err, ok, parseOrigin, type Result } from "@countersign/wire";
import type { KnownDestination } from "./core.ts";

/** One configured place to act at: which site adapter, and where it stands. */
export interface DestinationSetting {
  readonly id: string;
  readonly site: string;
  readonly origin: string;
  /** The API's origin where it differs from the pages'. */
  readonly originByRoute?: Readonly<Partial<Record<RouteKind, string>>>;
  readonly alsoOrigins?: readonly string[];
}

export interface SettingProblem {
  readonly destination: string;
  readonly member: string;
  readonly rule: string;
}

/** Brings settings and adapters together; every problem is told, none is guessed around. */
export function knownDestinations(
  settings: readonly DestinationSetting[],
  sites: ReadonlyMap<string, Site>,
  routes: ReadonlyMap<RouteKind, Route>,
): Result<ReadonlyMap<string, KnownDestination>, readonly SettingProblem[]> {
  const found = new Map<string, KnownDestination>();
  const problems: SettingProblem[] = [];
  for (const setting of settings) {
    const site = sites.get(setting.site);
    const origins = [setting.origin, ...(setting.alsoOrigins ?? []), ...Object.values(setting.originByRoute ?? {})];
    for (const origin of origins) {
      const parsed = parseOrigin(origin);
      if (!parsed.ok || parsed.value !== origin)
        problems.push({ destination: setting.id, member: "origin", rule: "an origin such as https://shop.example" });
    }
    if (site === undefined) problems.push({ destination: setting.id, member: "site", rule: "no such site adapter" });
    if (found.has(setting.id)) problems.push({ destination: setting.id, member: "id", rule: "used twice" });
    if (site === undefined) continue;
    const entries = site.entries.filter((entry) => routes.has(entry.route));
    const byRoute = new Map(entries.map((entry) => [entry.route, destination(setting, site, entry)]));
    found.set(setting.id, {
      id: setting.id,
      title: site.title,
      origin: setting.origin,
      adapter: site.version,
      byRoute,
    });
  }
  return problems.length === 0 ? ok(found) : err(problems);
}

function destination(setting: DestinationSetting, site: Site, entry: AnySiteEntry): Destination {
  return {
    id: setting.id,
    title: site.title,
    origin: setting.originByRoute?.[entry.route] ?? setting.origin,
    alsoOrigins: setting.alsoOrigins ?? [],
    entry,
    commits: entry.operations.flatMap((o): readonly RequestPattern[] => (o.effect === "commit" ? o.commits : [])),
  };
}
