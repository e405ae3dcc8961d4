import { neverFrozen } from "./freeze.ts";
import { canHide } from "./hide.ts";
import { DEFAULT_ORDER, ORDER_MAX, type Plugin, type PluginId } from "./plugin.ts";
import { type AnyPoint, isPoint } from "./point.ts";
import { type Problem, type ProblemCode, unopened } from "./problem.ts";

const CONTRIBUTION_ID = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/;
const KEY_MAX_CHARS = 2048;

/** A contribution as it came, before anything is known of it. */
export interface Offered {
  readonly id: unknown;
  readonly key: unknown;
  readonly order: unknown;
  readonly value: unknown;
}

export interface Judged {
  readonly plugin: Plugin;
  readonly point: AnyPoint;
  readonly contribution: Offered;
  readonly owners: ReadonlyMap<AnyPoint, PluginId>;
  readonly trusted: ReadonlySet<PluginId>;
}

/** Everything that is wrong with one contribution by itself: where, by whom, in what order, under what key, what. */
export function judge({ plugin, point, contribution, owners, trusted }: Judged): readonly Problem[] {
  const by = plugin.manifest.id;
  if (!isPoint(point))
    return [{ code: "not_a_point", message: `${by} puts at something that definePoint did not make`, plugins: [by] }];
  const owner = owners.get(point);
  if (owner === undefined) return [unopened(by, point, owners.keys())];
  const own = owner === by;
  const wrong = [
    ...(own ? [] : permission(plugin, point, owner, trusted)),
    ...order(contribution.order, own ? "owner" : "guest"),
    ...key(contribution.key, point),
    ...named(contribution.id),
    ...value(contribution.value, point),
  ];
  return wrong.map(([code, why]) => ({
    code,
    message: `${by} at ${point.id}: ${why}`,
    plugins: [by],
    point: point.id,
  }));
}

/** True when the point takes the value; a check that throws has not said yes. */
export function passes(point: AnyPoint, candidate: unknown): boolean {
  try {
    return point.check(candidate) === true;
  } catch {
    return false;
  }
}

type Wrong = readonly (readonly [ProblemCode, string])[];

function permission(plugin: Plugin, point: AnyPoint, owner: PluginId, trusted: ReadonlySet<PluginId>): Wrong {
  const { id, uses } = plugin.manifest;
  const wrong: (readonly [ProblemCode, string])[] = [];
  if (!uses.includes(point)) wrong.push(["point_not_declared", "the manifest does not list the point in uses"]);
  if (point.override === "never") wrong.push(["not_permitted", `only ${owner} contributes here`]);
  if (point.override === "host" && !trusted.has(id))
    wrong.push(["not_permitted", "only plugins that the host trusts contribute here"]);
  return wrong;
}

function order(given: unknown, who: "owner" | "guest"): Wrong {
  if (given === undefined)
    return who === "owner" ? [] : [["order_missing", `an order is needed, a whole number from 0 to ${ORDER_MAX}`]];
  if (!(typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= ORDER_MAX))
    return [["bad_order", `an order is a whole number from 0 to ${ORDER_MAX}`]];
  if (who === "owner" && given !== DEFAULT_ORDER)
    return [["bad_order", `the owner's defaults stand at ${DEFAULT_ORDER}`]];
  return [];
}

function key(given: unknown, point: AnyPoint): Wrong {
  if (point.kind !== "keyed") return given === undefined ? [] : [["key_unexpected", "this point has no keys"]];
  if (given === undefined || given === "") return [["key_missing", "a key is needed"]];
  const text = typeof given === "string" && given.length <= KEY_MAX_CHARS && !/\p{Cc}/u.test(given);
  return text ? [] : [["bad_key", `a key is text of at most ${KEY_MAX_CHARS} characters on one line`]];
}

function named(id: unknown): Wrong {
  return typeof id === "string" && CONTRIBUTION_ID.test(id)
    ? []
    : [["bad_contribution_id", "a contribution id is letters, digits and . _ : / @ -"]];
}

function value(given: unknown, point: AnyPoint): Wrong {
  if (!passes(point, given)) return [["bad_value", "the value is not what the point takes"]];
  const loose = neverFrozen(given);
  if (loose !== undefined)
    return [["value_not_frozen", `${loose} stays changeable when frozen; keep it in a closure or a private field`]];
  if (point.secretBearing && !canHide(given))
    return [["value_not_hidden", "the value cannot carry a placeholder; give an unfrozen object or a Secret"]];
  return [];
}
