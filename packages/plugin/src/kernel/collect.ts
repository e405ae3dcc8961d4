import { protocolsDescription } from "./description.ts";
import { type Contribution, DEFAULT_ORDER, ORDER_MAX, type Plugin, type Put, prefixOf } from "./plugin.ts";
import type { AnyPoint } from "./point.ts";
import { nearest, type Problem } from "./problem.ts";

/** A contribution that was allowed, with everything that decides its place. */
export interface Placed {
  readonly point: AnyPoint;
  readonly plugin: string;
  readonly id: string;
  readonly order: number;
  readonly key: string | undefined;
  readonly value: unknown;
}

export interface Collected {
  readonly owners: ReadonlyMap<AnyPoint, string>;
  readonly placed: readonly Placed[];
  readonly problems: readonly Problem[];
}

/** Reads every manifest and every contribution, and judges each by itself (rules 1 to 5). */
export function collect(plugins: readonly Plugin[], trusted: ReadonlySet<string>): Collected {
  const problems: Problem[] = [];
  const owners = openedPoints(plugins, problems);
  const placed: Placed[] = [];
  for (const plugin of plugins) {
    const { manifest } = plugin;
    const seen = new Set<string>();
    const put: Put = (point, contribution) => {
      const found = judge({ plugin, point: point as AnyPoint, contribution, owners, trusted });
      const name = `${point.id} ${contribution.id}`;
      if (seen.has(name))
        problems.push({
          code: "contribution_twice",
          message: `${manifest.id} puts ${contribution.id} at ${point.id} twice`,
          plugins: [manifest.id],
          point: point.id,
        });
      seen.add(name);
      problems.push(...found);
      if (found.length > 0) return;
      const order = contribution.order ?? DEFAULT_ORDER;
      placed.push({
        point: point as AnyPoint,
        plugin: manifest.id,
        id: contribution.id,
        order,
        key: contribution.key,
        value: contribution.value,
      });
    };
    try {
      plugin.contribute(put);
    } catch (error) {
      problems.push({
        code: "contribute_threw",
        message: `${manifest.id} failed while contributing: ${error instanceof Error ? error.message : "unknown"}`,
        plugins: [manifest.id],
      });
    }
    if (manifest.describes !== undefined && owners.has(protocolsDescription)) {
      placed.push({
        point: protocolsDescription,
        plugin: manifest.id,
        id: manifest.describes.id,
        order: DEFAULT_ORDER,
        key: undefined,
        value: manifest.describes,
      });
    }
  }
  return { owners, placed, problems };
}

function openedPoints(plugins: readonly Plugin[], problems: Problem[]): ReadonlyMap<AnyPoint, string> {
  const owners = new Map<AnyPoint, string>();
  const names = new Map<string, string>();
  for (const { manifest } of plugins) {
    for (const point of manifest.opens) {
      const first = names.get(point.id);
      if (first !== undefined)
        problems.push({
          code: "point_opened_twice",
          message: `${point.id} is opened by ${first} and by ${manifest.id}`,
          plugins: [first, manifest.id],
          point: point.id,
        });
      if (!point.id.startsWith(`${prefixOf(manifest.id)}.`)) {
        problems.push({
          code: "point_of_another_protocol",
          message: `${manifest.id} may only open points that begin with ${prefixOf(manifest.id)}.`,
          plugins: [manifest.id],
          point: point.id,
        });
      }
      names.set(point.id, first ?? manifest.id);
      owners.set(point, manifest.id);
    }
  }
  return owners;
}

interface Judged {
  readonly plugin: Plugin;
  readonly point: AnyPoint;
  readonly contribution: Contribution<unknown>;
  readonly owners: ReadonlyMap<AnyPoint, string>;
  readonly trusted: ReadonlySet<string>;
}

function judge({ plugin, point, contribution, owners, trusted }: Judged): readonly Problem[] {
  const { manifest } = plugin;
  const found: Problem[] = [];
  const say = (code: Problem["code"], message: string) =>
    found.push({ code, message: `${manifest.id} at ${point.id}: ${message}`, plugins: [manifest.id], point: point.id });
  const owner = owners.get(point);
  if (owner === undefined) {
    const near = nearest(
      point.id,
      [...owners.keys()].map((p) => p.id).filter((id) => id !== point.id),
    );
    say("point_not_opened", `nobody opens this point${near === undefined ? "" : `; is ${near} meant?`}`);
    return found;
  }
  const own = owner === manifest.id;
  if (!own && !manifest.uses.includes(point)) say("point_not_declared", "the manifest does not list the point in uses");
  if (!own && point.override === "never") say("not_permitted", `only ${owner} contributes here`);
  if (!own && point.override === "host" && !trusted.has(manifest.id))
    say("not_permitted", "only plugins that the host trusts contribute here");
  if (own && contribution.order !== undefined && contribution.order !== DEFAULT_ORDER)
    say("bad_order", `the owner's defaults stand at ${DEFAULT_ORDER}`);
  if (!own && contribution.order === undefined) say("order_missing", "an order is needed");
  const { order } = contribution;
  if (order !== undefined && !(Number.isInteger(order) && order >= 0 && order <= ORDER_MAX))
    say("bad_order", `an order is a whole number from 0 to ${ORDER_MAX}`);
  if (point.kind === "keyed" && (contribution.key === undefined || contribution.key === ""))
    say("key_missing", "a key is needed");
  if (point.kind !== "keyed" && contribution.key !== undefined) say("key_unexpected", "this point has no keys");
  if (!passes(point, contribution.value))
    say("bad_value", `the value of ${contribution.id} is not what the point takes`);
  return found;
}

function passes(point: AnyPoint, value: unknown): boolean {
  try {
    return point.check(value) === true;
  } catch {
    return false;
  }
}
