import type { Placed } from "./collect.ts";
import { isDescription, type ProtocolDescription, protocolsDescription } from "./description.ts";
import { type Plugin, prefixOf } from "./plugin.ts";
import { isPoint } from "./point.ts";
import type { Problem } from "./problem.ts";

const PROTOCOL = "protocol.";

/**
 * Each `protocol.*` plugin describes itself, nobody twice, and what it says of itself is what its manifest says
 * (PLG-3): the listing must not name points that are not there, nor speak for another protocol.
 */
export function descriptionProblems(plugins: readonly Plugin[], placed: readonly Placed[]): readonly Problem[] {
  const point = protocolsDescription.id;
  if (!plugins.some((p) => p.manifest.opens.includes(protocolsDescription))) return [];
  const each = plugins.flatMap(({ manifest }): readonly Problem[] => {
    const { id } = manifest;
    const said = placed.filter((p) => p.point === protocolsDescription && p.plugin === id).map((p) => p.value);
    const at = { plugins: [id], point };
    if (said.length > 1) return [{ code: "description_twice", message: `${id} describes itself twice`, ...at }];
    const [description] = said;
    if (description === undefined)
      return id.startsWith(PROTOCOL) && manifest.describes === undefined
        ? [{ code: "description_missing", message: `${id} is a protocol and does not describe itself`, ...at }]
        : [];
    if (!isDescription(description)) return [];
    const opens = manifest.opens
      .filter(isPoint)
      .map((p) => p.id)
      .sort();
    const same = description.id === prefixOf(id) && [...description.points].sort().join() === opens.join();
    return same
      ? []
      : [
          {
            code: "description_differs",
            message: `${id} describes another id than ${prefixOf(id)} or other points than it opens`,
            ...at,
          },
        ];
  });
  return [...each, ...sharedNames(placed)];
}

/** `other.pact` beside `protocol.pact` opens no points, and would still speak of PACT in the listing. */
function sharedNames(placed: readonly Placed[]): readonly Problem[] {
  const said = placed.filter((p) => p.point === protocolsDescription && isDescription(p.value));
  return [...Map.groupBy(said, (p) => (p.value as ProtocolDescription).id)].flatMap(
    ([name, all]): readonly Problem[] => {
      const plugins = [...new Set(all.map((p) => p.plugin))];
      if (plugins.length < 2) return [];
      const message = `${plugins.join(" and ")} both describe ${name}`;
      return [{ code: "description_twice", message, plugins, point: protocolsDescription.id }];
    },
  );
}
