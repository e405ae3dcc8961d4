import { assert } from "@countersign/wire";
import { protocolsDescription } from "./description.ts";
import { judge, passes } from "./judge.ts";
import { DEFAULT_ORDER, type Plugin, type PluginId, type Put, type Scope } from "./plugin.ts";
import type { AnyPoint } from "./point.ts";
import type { Problem } from "./problem.ts";

/** A contribution that was allowed, with everything that decides its place. */
export interface Placed {
  readonly point: AnyPoint;
  readonly plugin: PluginId;
  readonly id: string;
  readonly order: number;
  readonly key: string | undefined;
  readonly value: unknown;
}

export interface Collected {
  readonly placed: readonly Placed[];
  readonly problems: readonly Problem[];
}

export interface Rules {
  readonly owners: ReadonlyMap<AnyPoint, PluginId>;
  readonly trusted: ReadonlySet<PluginId>;
}

/** Asks every plugin for its contributions and judges each by itself (rules 3 to 5). */
export function collect(plugins: readonly Plugin[], rules: Rules, scopeOf: (plugin: Plugin) => Scope): Collected {
  const each = plugins.map((plugin) => contributionsOf(plugin, rules, scopeOf(plugin)));
  return { placed: each.flatMap((c) => c.placed), problems: each.flatMap((c) => c.problems) };
}

function contributionsOf(plugin: Plugin, rules: Rules, scope: Scope): Collected {
  const { id: by } = plugin.manifest;
  const problems: Problem[] = [];
  const placed: Placed[] = [];
  const seen = new Set<string>();
  let contributing = true;
  const put: Put = (point, contribution) => {
    assert(contributing, "contributions are made while contribute runs, and not after");
    const { id, key, order, value } = contribution;
    const found = [...judge({ plugin, point, contribution: { id, key, order, value }, ...rules })];
    const name = JSON.stringify([point.id, id]);
    if (seen.has(name))
      found.push({
        code: "contribution_twice",
        message: `${by} puts ${id} at ${point.id} twice`,
        plugins: [by],
        point: point.id,
      });
    seen.add(name);
    problems.push(...found);
    if (found.length === 0) placed.push({ point, plugin: by, id, order: order ?? DEFAULT_ORDER, key, value });
  };
  try {
    const answer: unknown = plugin.contribute(put, scope);
    if (answer instanceof Promise) {
      answer.catch(() => {});
      problems.push({
        code: "contribute_waits",
        message: `${by} contributes in an async function; what it puts later would depend on time`,
        plugins: [by],
      });
    }
  } catch (error) {
    // The text of an error can hold what the plugin was handling, a key for one: its kind has to do.
    problems.push({
      code: "contribute_threw",
      message: `${by} threw ${kindOf(error)} while contributing`,
      plugins: [by],
    });
  }
  contributing = false;
  const own = described(plugin, rules);
  return { placed: [...placed, ...own.placed], problems: [...problems, ...own.problems] };
}

/** A manifest's description stands at its one home without a `put` (decisions.md 20). */
function described({ manifest }: Plugin, { owners }: Rules): Collected {
  const { id, describes } = manifest;
  if (describes === undefined || !owners.has(protocolsDescription)) return { placed: [], problems: [] };
  const point = protocolsDescription;
  if (!passes(point, describes))
    return {
      placed: [],
      problems: [{ code: "bad_value", message: `${id}: its description is not one`, plugins: [id], point: point.id }],
    };
  return {
    placed: [{ point, plugin: id, id: describes.id, order: DEFAULT_ORDER, key: undefined, value: describes }],
    problems: [],
  };
}

function kindOf(error: unknown): string {
  const name = error instanceof Error ? error.constructor.name : "";
  return /^[A-Z][A-Za-z]{0,63}$/.test(name) ? name : "something";
}
