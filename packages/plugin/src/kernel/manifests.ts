import { type Plugin, type PluginId, prefixOf } from "./plugin.ts";
import { type AnyPoint, isPoint } from "./point.ts";
import { type Problem, unopened } from "./problem.ts";

const PLUGIN_ID = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_-]{0,63}$/;

/** "ACP" is two protocols: `agentic_commerce` and `acp_client`. */
const AMBIGUOUS = "acp";

/**
 * Signers, approvers, credential and payment sources, egress and stores: were one of these open to any plugin, it
 * could out-order the person's approver (plugins.md section 7 rule 5; decisions.md 21).
 */
const HOST_ONLY =
  /[._](signer|verifier|approver|credentials?|payment[A-Za-z]*|egress|store)$|[a-z0-9](Signer|Verifier|Approver|Credentials?|Payment[A-Za-z]*|Egress|Store)$/;

/** Which plugin opened which point, and what is wrong with the manifests (rules 1, 2 and 5). */
export function readManifests(
  plugins: readonly Plugin[],
  trusted: ReadonlySet<PluginId>,
): { readonly owners: ReadonlyMap<AnyPoint, PluginId>; readonly problems: readonly Problem[] } {
  const owners = new Map<AnyPoint, PluginId>();
  for (const { manifest } of plugins)
    for (const point of manifest.opens.filter(isPoint)) owners.set(point, owners.get(point) ?? manifest.id);
  return {
    owners,
    problems: [
      ...plugins.flatMap((p) => [...badId(p), ...badOpens(p), ...badUses(p, owners, trusted)]),
      ...openedTwice(plugins),
      ...prefixShared(plugins),
      ...givenTwice(plugins),
    ],
  };
}

function badId({ manifest }: Plugin): readonly Problem[] {
  const { id } = manifest;
  if (!PLUGIN_ID.test(id))
    return [{ code: "bad_plugin_id", message: `${id}: a plugin id is <kind>.<name> in snake_case`, plugins: [id] }];
  if (prefixOf(id) === AMBIGUOUS)
    return [{ code: "bad_plugin_id", message: `${id}: say agentic_commerce or acp_client`, plugins: [id] }];
  return [];
}

function givenTwice(plugins: readonly Plugin[]): readonly Problem[] {
  return [...Map.groupBy(plugins, (p) => p.manifest.id)]
    .filter(([, group]) => group.length > 1)
    .map(([id]) => ({ code: "plugin_twice", message: `${id} is given twice`, plugins: [id] }));
}

function badOpens({ manifest }: Plugin): readonly Problem[] {
  const { id, opens } = manifest;
  return opens.flatMap((point): readonly Problem[] => {
    if (!isPoint(point))
      return [{ code: "not_a_point", message: `${id} opens something that definePoint did not make`, plugins: [id] }];
    const at = { plugins: [id], point: point.id };
    const problems: Problem[] = [];
    if (!point.id.startsWith(`${prefixOf(id)}.`))
      problems.push({
        code: "point_of_another_protocol",
        message: `${id} may only open points that begin with ${prefixOf(id)}. and not ${point.id}`,
        ...at,
      });
    if (point.override === "declared" && HOST_ONLY.test(point.id))
      problems.push({
        code: "override_too_wide",
        message: `${point.id} decides over keys, money or a person's word: its override must be host or never`,
        ...at,
      });
    if (point.override === "declared" && point.secretBearing)
      problems.push({
        code: "override_too_wide",
        message: `${point.id} may hold secrets: its override must be host or never`,
        ...at,
      });
    return problems;
  });
}

function badUses(
  { manifest }: Plugin,
  owners: ReadonlyMap<AnyPoint, PluginId>,
  trusted: ReadonlySet<PluginId>,
): readonly Problem[] {
  const { id } = manifest;
  return manifest.uses.flatMap((point): readonly Problem[] => {
    if (!isPoint(point))
      return [{ code: "not_a_point", message: `${id} uses something that definePoint did not make`, plugins: [id] }];
    const owner = owners.get(point);
    if (owner === undefined) return [unopened(id, point, owners.keys())];
    // A scope hands out the live object, so reading a signer is signing.
    if (point.secretBearing && owner !== id && !trusted.has(id))
      return [
        {
          code: "read_not_permitted",
          message: `${id} at ${point.id}: only plugins that the host trusts read secret-bearing points of others`,
          plugins: [id],
          point: point.id,
        },
      ];
    return [];
  });
}

function openedTwice(plugins: readonly Plugin[]): readonly Problem[] {
  const openings = plugins.flatMap(({ manifest }) =>
    manifest.opens.filter(isPoint).map((point) => ({ point: point.id, plugin: manifest.id })),
  );
  return [...Map.groupBy(openings, (o) => o.point)]
    .filter(([, group]) => group.length > 1)
    .map(([point, group]) => {
      const openers = group.map((o) => o.plugin);
      return {
        code: "point_opened_twice",
        message: `${point} is opened by ${openers.join(" and ")}`,
        plugins: openers,
        point,
      };
    });
}

/** `evil.pact` beside `protocol.pact` would open points in PACT's name. */
function prefixShared(plugins: readonly Plugin[]): readonly Problem[] {
  const opening = plugins.filter((p) => p.manifest.opens.length > 0).map((p) => p.manifest.id);
  return [...Map.groupBy(new Set(opening), prefixOf)]
    .filter(([, ids]) => ids.length > 1)
    .map(([prefix, ids]) => ({
      code: "prefix_shared",
      message: `${ids.join(" and ")} both open points that begin with ${prefix}.`,
      plugins: ids,
    }));
}
