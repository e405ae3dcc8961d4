import { nearest } from "./nearest.ts";
import type { AnyPoint } from "./point.ts";

/** Why a set of plugins does not make a kernel. Every problem of the set is told, not only the first. */
export type ProblemCode =
  | "not_a_plugin"
  | "bad_plugin_id"
  | "plugin_twice"
  | "plugin_unknown"
  | "need_missing"
  | "needs_in_a_circle"
  | "not_a_point"
  | "point_opened_twice"
  | "point_of_another_protocol"
  | "prefix_shared"
  | "override_too_wide"
  | "point_not_opened"
  | "point_of_another_copy"
  | "point_not_declared"
  | "read_not_permitted"
  | "not_permitted"
  | "bad_value"
  | "value_not_frozen"
  | "value_not_hidden"
  | "bad_order"
  | "order_missing"
  | "key_missing"
  | "key_unexpected"
  | "bad_key"
  | "bad_contribution_id"
  | "contribution_twice"
  | "tie"
  | "required_missing"
  | "contribute_threw"
  | "contribute_waits"
  | "description_missing"
  | "description_twice"
  | "description_differs";

/** Told to the operator: ids and orders, never a value and never the text of an error, which may hold one. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly plugins: readonly string[];
  readonly point?: string;
}

/** By code unit: no locale may change which contribution comes first. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The same problems in the same order, however the plugins were listed. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const name = (p: Problem) => [p.point ?? "", p.code, ...p.plugins, p.message].join("\n");
  return [...problems].sort((a, b) => compareText(name(a), name(b)));
}

/** A point that nobody in the set opens: mistyped, or of a package that is here twice. */
export function unopened(plugin: string, point: AnyPoint, opened: Iterable<AnyPoint>): Problem {
  const ids = [...opened].map((p) => p.id);
  if (ids.includes(point.id))
    return {
      code: "point_of_another_copy",
      message: `${plugin} at ${point.id}: this is another point of that name; is its package installed twice?`,
      plugins: [plugin],
      point: point.id,
    };
  const near = nearest(point.id, ids);
  return {
    code: "point_not_opened",
    message: `${plugin} at ${point.id}: nobody opens this point${near === undefined ? "" : `; is ${near} meant?`}`,
    plugins: [plugin],
    point: point.id,
  };
}
