import { type AnyPoint, buildProtocols, checkPlugin, PROTOCOL_CATALOGUE } from "@countersign/plugin";
import { describe, expect, it } from "vitest";
import { agentProtocols } from "../packages/countersign/src/setup/agent-protocols.ts";
import {
  BESIDE,
  exportedPoints,
  foldersWithPoints,
  LISTED,
  type ListedPlugin,
  pointsFile,
  sampleOf,
} from "./support/protocols.ts";

// One table over all protocols and their points files (plugins.md section 5). What each row asks of a point stands in
// `packages/plugin/src/kernel/check-point.ts`, and its own tests take every obligation away in turn.

const table = LISTED.map((listed) => ({ name: listed.plugin.manifest.id, listed }));
const points = LISTED.flatMap((listed) =>
  pointsFile(listed).points.map(({ id, default: has }) => ({
    id,
    default: has ? "with a default" : "without a default",
    listed,
  })),
);

function broken(listed: ListedPlugin): readonly string[] {
  return checkPlugin({
    plugin: listed.plugin,
    points: pointsFile(listed),
    exported: exportedPoints(listed),
    sample: (point: AnyPoint) => sampleOf(listed, point),
    others: [...BESIDE, ...(listed.others ?? [])],
    ...(listed.outside === true ? {} : { catalogue: PROTOCOL_CATALOGUE }),
  });
}

describe("PLG-4 the table that every protocol is held to", () => {
  it("PLG-4 PLG-3 nobody is left out: every points file is in the table, and so is every plugin of the bundle", () => {
    const own = LISTED.filter((listed) => listed.outside !== true);
    expect(own.map((listed) => listed.folder).sort()).toEqual([...foldersWithPoints()].sort());
    expect(own.map((listed) => listed.plugin.manifest.id).sort()).toEqual(
      agentProtocols()
        .plugins.map((p) => p.manifest.id)
        .sort(),
    );
    expect(agentProtocols().name).toBe("agent-protocols");
  });

  it.each(table)(
    "PLG-1 PLG-3 PLG-4 $name: exported, declared, described once, in the catalogue with its versions, and its points keep their word",
    ({ listed }) => {
      expect(broken(listed)).toEqual([]);
    },
  );

  it.each(points)(
    "PLG-1 PLG-2 $id, $default: at 100, replaced by a lower order and back, gone with its plugin, a tie names both, no order of registration",
    ({ id, listed }) => {
      expect(broken(listed).filter((line) => line.startsWith(`${id}: `))).toEqual([]);
      // The row is about this point and not about nothing.
      const point = listed.plugin.manifest.opens.find((p) => p.id === id);
      expect(point?.check(sampleOf(listed, point))).toBe(true);
    },
  );

  it.each(table)("PLG-4 the table sees it when the file of $name says otherwise", ({ listed }) => {
    const file = pointsFile(listed).points;
    const flipped = { points: file.map((p) => ({ ...p, default: !p.default })) };
    const exported = exportedPoints(listed);
    const others = [...BESIDE, ...(listed.others ?? [])];
    const base = { plugin: listed.plugin, exported, sample: (p: AnyPoint) => sampleOf(listed, p), others };
    expect(checkPlugin({ ...base, points: flipped }).length).toBeGreaterThanOrEqual(file.length);
    expect(checkPlugin({ ...base, points: { points: file.slice(1) } }).join()).toContain("opens other points");
    expect(checkPlugin({ ...base, points: { points: file }, exported: exported.slice(1) }).join()).toContain(
      "exports other points",
    );
    const catalogue = PROTOCOL_CATALOGUE.map((e) => ({ ...e, versions: ["0.0"] }));
    expect(checkPlugin({ ...base, points: { points: file }, catalogue }).join()).toMatch(/catalogue has/);
  });

  it("PLG-3 all of them together make a set, in the bundle or one by one, in any order, and the bundle decides nothing", () => {
    const plugins = LISTED.map((listed) => listed.plugin);
    const [bundled, single, backwards] = [
      buildProtocols([...BESIDE, { name: "agent-protocols", plugins }]),
      buildProtocols([...BESIDE, ...plugins]),
      buildProtocols([...plugins.toReversed(), ...BESIDE]),
    ].map((built) => (built.ok ? built.kernel : undefined));
    for (const listed of LISTED)
      for (const { id } of pointsFile(listed).points) {
        expect(bundled?.explain(id as AnyPoint["id"])).toEqual(single?.explain(id as AnyPoint["id"]));
        expect(backwards?.explain(id as AnyPoint["id"])).toEqual(single?.explain(id as AnyPoint["id"]));
      }
    expect(bundled?.describe()).toEqual(single?.describe());
    expect(bundled?.describe().length).toBe(LISTED.length);
  });
});
