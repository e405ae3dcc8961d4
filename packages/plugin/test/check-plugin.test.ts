import { describe, expect, it } from "vitest";
import { type AnyPoint, checkPlugin, definePlugin, definePoint, type Manifest, type Plugin } from "../src/index.ts";
import { bare, describing, isNote, type Note, owner, POINTS } from "./support/sample.ts";

type Input = Parameters<typeof checkPlugin>[0];
const DEFAULTS = ["sample.signer", "sample.style", "sample.sealed"];
const points = { points: POINTS.map((p) => ({ id: p.id, default: DEFAULTS.includes(p.id) })) };
const catalogue = [{ id: "sample", versions: ["1.0"] }];
const sample = (): Note => ({ text: "sample" });
const good: Input = { plugin: owner, points, exported: POINTS, sample, catalogue };

const manifest = (more: Partial<Manifest>): Plugin =>
  definePlugin({ ...owner, manifest: { ...owner.manifest, ...more } });

/** A second protocol, over the first: the host must fill its store, and its notary's default is keyed. */
const store = definePoint({ id: "second.receiptStore", kind: "one", override: "host", required: true, check: isNote });
const keys = definePoint({ id: "second.extension.other", kind: "keyed", override: "declared", check: isNote });
const SECOND = [store, keys];
const second = bare(
  "protocol.second",
  { opens: SECOND, needs: ["protocol.sample"], describes: describing("second", SECOND) },
  (put) => put(keys, { id: "default", key: "urn:second", value: { text: "x" } }),
);
const secondInput: Input = {
  plugin: second,
  points: {
    points: [
      { id: store.id, default: false },
      { id: keys.id, default: true },
    ],
  },
  exported: SECOND,
  sample,
  others: [owner],
};

/** A one-point protocol whose point or default is as `make` says, and everything else in order. */
function odd(open: AnyPoint, contribute: Plugin["contribute"] = () => {}): Input {
  return {
    plugin: bare("protocol.odd", { opens: [open], describes: describing("odd", [open]) }, contribute),
    points: { points: [{ id: open.id, default: false }] },
    exported: [open],
    sample,
  };
}

describe("PLG-4 the table that every protocol is held to", () => {
  it("PLG-4 passes plugins that keep their word", () => {
    expect(checkPlugin(good)).toEqual([]);
    expect(checkPlugin(secondInput)).toEqual([]);
  });

  it.each<[string, Partial<Input>, string]>([
    ["a point that the file does not list", { points: { points: points.points.slice(1) } }, "opens other points"],
    [
      "a default that is missing",
      { points: { points: points.points.map((p) => ({ ...p, default: true })) } },
      "the default is missing",
    ],
    [
      "a default that is not listed",
      { points: { points: points.points.map((p) => ({ ...p, default: false })) } },
      "a default that the file does not list",
    ],
    ["a point that is not exported", { exported: POINTS.slice(1) }, "exports other points"],
    [
      "another point exported under its id",
      {
        exported: [
          definePoint({ id: "sample.signer", kind: "one", override: "host", check: isNote }),
          ...POINTS.slice(1),
        ],
      },
      "another point under the id",
    ],
    ["a catalogue without it", { catalogue: [] }, "no entry"],
    [
      "a catalogue of other versions",
      { catalogue: [{ id: "sample", versions: ["0.9"] }] },
      "the catalogue has other versions",
    ],
    [
      "versions that differ in one description",
      { plugin: manifest({ describes: { ...describing("sample", POINTS), versions: ["2.0"] } }), catalogue: [] },
      "are not the catalogue entry's",
    ],
    [
      "a point missing in the description",
      { plugin: manifest({ describes: describing("sample", []) }) },
      "other points than it opens",
    ],
    [
      "no description",
      { plugin: bare("protocol.sample", { opens: POINTS }, owner.contribute) },
      "does not describe itself",
    ],
  ])("PLG-4 catches %s", (_name, change, expected) => {
    expect(checkPlugin({ ...good, ...change }).join("\n")).toContain(expected);
  });

  it("PLG-4 catches a protocol under another kind of id that says nothing of itself", () => {
    const mute = bare("other.sample", { opens: POINTS }, owner.contribute);
    expect(checkPlugin({ ...good, plugin: mute })).toContain("there is not exactly one description");
  });

  it("PLG-4 catches a check that takes anything", () => {
    const loose = definePoint({
      id: "odd.loose",
      kind: "all",
      override: "declared",
      check: (v): v is unknown => v !== 0,
    });
    expect(checkPlugin(odd(loose))).toEqual(expect.arrayContaining(["odd.loose: its check takes anything"]));
  });

  it("PLG-4 catches a plugin whose contributions change from set to set", () => {
    const moody = definePoint({ id: "odd.moody", kind: "keyed", override: "declared", check: isNote });
    let n = 0;
    const input = odd(moody, (put) => put(moody, { id: "d", key: `k${n++}`, value: { text: "x" } }));
    expect(checkPlugin({ ...input, points: { points: [{ id: moody.id, default: true }] } })).toEqual(
      expect.arrayContaining([
        "odd.moody: the order of registration decides",
        "odd.moody: the default is not back when the replacement goes",
        "odd.moody: off and on again leaves another winner",
      ]),
    );
  });

  it("PLG-4 catches a sample that the point does not take", () => {
    expect(checkPlugin({ ...good, sample: () => 5 })).not.toEqual([]);
  });
});
