import type { BuildResult } from "./build.ts";
import { HIDDEN } from "./hide.ts";
import { DEFAULT_ORDER, type Plugin } from "./plugin.ts";
import type { AnyPoint } from "./point.ts";
import type { ProblemCode } from "./problem.ts";
import type { Resolution } from "./snapshot.ts";

const FIRST = 10;
const LATER = 20;

export interface PointCheck {
  readonly point: AnyPoint;
  readonly owner: Plugin;
  readonly hasDefault: boolean;
  /** Builds the plugin under test with others beside it, in the order that `arrange` makes of the whole list. */
  readonly build: (more: readonly Plugin[], arrange?: (set: readonly Plugin[]) => readonly Plugin[]) => BuildResult;
  /** A plugin that contributes to points. `check.first`, `check.second` and `check.late` are trusted, others not. */
  readonly probe: (
    name: string,
    at: readonly AnyPoint[],
    given: {
      readonly order?: number;
      readonly key?: string;
      readonly uses?: readonly AnyPoint[];
      readonly value?: unknown;
    },
  ) => Plugin;
  readonly inspect: (value: unknown) => string;
}

/** What every point promises, whichever protocol it belongs to; a row each, answered by what is broken. */
const OBLIGATIONS: readonly (readonly [string, (check: PointCheck) => boolean])[] = [
  ["the default is missing", (c) => !c.hasDefault || defaults(c).length > 0],
  ["there is a default that the file does not list", (c) => c.hasDefault || defaults(c).length === 0],
  [`a default does not stand at ${DEFAULT_ORDER}`, (c) => defaults(c).every((d) => d.order === DEFAULT_ORDER)],
  ["its check takes anything", (c) => !c.point.check(undefined) && !c.point.check(Symbol("anything"))],
  [
    "a value that its check refuses is taken",
    (c) => fails(c, "first", { order: FIRST, value: undefined }, "bad_value"),
  ],
  [
    "a plugin that does not declare it contributes",
    (c) => fails(c, "first", { order: FIRST, uses: [] }, "point_not_declared"),
  ],
  ["a plugin without permission contributes", isGuarded],
  ["a contribution without an order is taken", (c) => fails(c, "first", {}, "order_missing")],
  ["it is not gone with its plugin", isGoneWithPlugin],
  ["a value can still be changed", (c) => values(c).every(Object.isFrozen)],
  ["a value that may hold secrets is shown", isHidden],
];

/** What a point promises that others than its owner may fill. */
const REPLACEABLE: readonly (readonly [string, (check: PointCheck) => boolean])[] = [
  ["the lower order does not win", lowerWins],
  ["the default is not back when the replacement goes", comesBack],
  [
    "off and on again leaves another winner",
    (c) =>
      sameAfter(
        c,
        (k) => k.without("check.first"),
        (k) => k.with(first(c)),
      ),
  ],
  ["the order of registration decides", orderOfRegistrationIsNothing],
];

/** What a point promises that has winners. */
const CONTESTED: readonly (readonly [string, (check: PointCheck) => boolean])[] = [
  ["two at the winning order do not fail with both names", tieFails],
  ["a tie below the winner fails", (c) => c.build([first(c), second(c, LATER), late(c)]).ok],
];

export function checkPoint(check: PointCheck): readonly string[] {
  const { override, kind } = check.point;
  const rows = [
    ...OBLIGATIONS,
    ...(override === "never" ? [] : REPLACEABLE),
    ...(override === "never" || kind === "all" ? [] : CONTESTED),
  ];
  return rows.filter(([, holds]) => !holds(check)).map(([broken]) => broken);
}

function first(check: PointCheck): Plugin {
  return check.probe("first", [check.point], { order: FIRST, ...contestedKey(check) });
}
function second(check: PointCheck, order: number): Plugin {
  return check.probe("second", [check.point], { order, ...contestedKey(check) });
}
function late(check: PointCheck): Plugin {
  return check.probe("late", [check.point], { order: LATER, ...contestedKey(check) });
}

/** A keyed point is contested where its default stands, if it has one. */
function contestedKey(check: PointCheck): { readonly key?: string } {
  const key = defaults(check)[0]?.key;
  return key === undefined ? {} : { key };
}

function explained(check: PointCheck, built: BuildResult): Resolution | undefined {
  return built.ok ? built.kernel.explain(check.point.id) : undefined;
}

function winners(check: PointCheck, built: BuildResult): Resolution["contributions"] {
  return (explained(check, built)?.contributions ?? []).filter((c) => c.wins);
}

/** The same plugins win, by the same contributions, under the same keys. */
function sameWinners(check: PointCheck, a: BuildResult, b: BuildResult): boolean {
  return a.ok && b.ok && JSON.stringify(winners(check, a)) === JSON.stringify(winners(check, b));
}

function defaults(check: PointCheck): Resolution["contributions"] {
  const all = explained(check, check.build([]))?.contributions ?? [];
  return all.filter((c) => c.plugin === check.owner.manifest.id);
}

function values(check: PointCheck): readonly unknown[] {
  const built = check.point.override === "never" ? check.build([]) : check.build([first(check)]);
  if (!built.ok) return [];
  const entries = built.kernel.scope(check.owner.manifest.id).entries(check.point);
  return entries.map((entry) => entry.value);
}

function fails(check: PointCheck, name: string, given: Parameters<PointCheck["probe"]>[2], code: ProblemCode): boolean {
  const { point } = check;
  const built = check.build([check.probe(name, [point], given)]);
  return !built.ok && built.problems.some((p) => p.code === code && p.point === point.id);
}

function isGuarded(check: PointCheck): boolean {
  const { override } = check.point;
  if (override === "host") return fails(check, "stranger", { order: 0 }, "not_permitted");
  if (override === "never") return fails(check, "first", { order: 0 }, "not_permitted");
  return check.build([check.probe("stranger", [check.point], { order: 0 })]).ok;
}

function isGoneWithPlugin(check: PointCheck): boolean {
  const alone = (set: readonly Plugin[]) => set.filter((p) => p !== check.owner && p.manifest.id !== "check.host");
  const without = check.build([], alone);
  const filled = check.build([first(check)], alone);
  const orphaned =
    !filled.ok && filled.problems.some((p) => p.code === "point_not_opened" && p.point === check.point.id);
  return without.ok && explained(check, without) === undefined && orphaned;
}

function isHidden(check: PointCheck): boolean {
  if (!check.point.secretBearing) return true;
  return values(check).every((value) => {
    const shown = [JSON.stringify(value), check.inspect(value), JSON.stringify({ value }), check.inspect([value])];
    // A `Secret` has a placeholder of its own.
    return shown.every((text) => text.includes(HIDDEN) || text.includes("[secret]"));
  });
}

function lowerWins(check: PointCheck): boolean {
  const won = winners(check, check.build([first(check)]));
  const place = won.findIndex((c) => c.plugin === "check.first");
  // Neither name nor place in the list may stand in for the order: the later name wins with the lower one.
  const both = winners(check, check.build([first(check), second(check, FIRST - 1)]));
  const ranked = both.filter((c) => c.plugin.startsWith("check."))[0]?.plugin === "check.second";
  if (!ranked) return false;
  if (check.point.kind === "all") return place === 0;
  const beaten = defaults(check).filter((d) => d.key === contestedKey(check).key);
  return place >= 0 && beaten.every((d) => !won.some((c) => c.plugin === d.plugin && c.key === d.key));
}

function comesBack(check: PointCheck): boolean {
  const replaced = check.build([first(check)]);
  if (!replaced.ok) return false;
  const back = replaced.kernel.without("check.first");
  return sameWinners(check, back, check.build([]));
}

function sameAfter(
  check: PointCheck,
  ...steps: readonly ((kernel: Extract<BuildResult, { ok: true }>["kernel"]) => BuildResult)[]
): boolean {
  const before = check.build([first(check)]);
  let now = before;
  for (const step of steps) now = now.ok ? step(now.kernel) : now;
  return sameWinners(check, before, now);
}

function orderOfRegistrationIsNothing(check: PointCheck): boolean {
  const more = [first(check), second(check, LATER)];
  const answers = [
    check.build(more),
    check.build(more, (set) => set.toReversed()),
    check.build(more, (set) => [...set.slice(-1), ...set.slice(0, -1)]),
  ];
  return (
    answers.every((built) => built.ok) && new Set(answers.map((b) => JSON.stringify(explained(check, b)))).size === 1
  );
}

function tieFails(check: PointCheck): boolean {
  const tie = check.build([first(check), second(check, FIRST)]);
  if (tie.ok) return false;
  const { point } = check;
  return tie.problems.some(
    (p) =>
      p.code === "tie" &&
      p.point === point.id &&
      ["check.first", "check.second", point.id].every((name) => p.message.includes(name)),
  );
}
