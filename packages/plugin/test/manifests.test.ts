import { describe, expect, it } from "vitest";
import {
  build,
  buildProtocols,
  corePlugin,
  definePlugin,
  definePoint,
  listProtocols,
  type Plugin,
  protocolsDescription,
} from "../src/index.ts";
import {
  bare,
  codes,
  describes,
  describing,
  guest,
  isNote,
  note,
  owner,
  POINTS,
  point,
  problems,
  style,
} from "./support/sample.ts";

describe("PLG-1 manifests", () => {
  it("two plugins under one id; the same one in two bundles is one", () => {
    expect(codes(bare("any.body"), bare("any.body"))).toContain("plugin_twice");
    const shared = bare("any.body");
    const bundles = [
      { name: "one", plugins: [owner, shared] },
      { name: "two", plugins: [shared] },
    ];
    const built = buildProtocols(bundles);
    expect(built.ok && built.kernel.plugins.map((p) => p.manifest.id)).toEqual([
      "any.body",
      "core.protocols",
      "protocol.sample",
    ]);
    expect(built.ok && built.kernel.bundles).toEqual([
      { name: "one", plugins: ["protocol.sample", "any.body"] },
      { name: "two", plugins: ["any.body"] },
    ]);
    const without = built.ok ? built.kernel.without("any.body") : built;
    expect(without.ok && without.kernel.bundles).toEqual([
      { name: "one", plugins: ["protocol.sample"] },
      { name: "two", plugins: [] },
    ]);
    expect(without.ok && without.kernel.plugins.map((p) => p.manifest.id)).toEqual([
      "core.protocols",
      "protocol.sample",
    ]);
  });

  it.each(["sample", "Host.vault", "host.", "host.a.b", "__proto__.x", ""])("%j is not a plugin id", (id) => {
    expect(codes(bare(id))).toContain("bad_plugin_id");
  });

  it("acp alone is never an id", () => {
    expect(problems(bare("protocol.acp"))[0]?.message).toContain("agentic_commerce");
  });

  it("only what definePlugin and definePoint made", () => {
    const raw = { ...bare("any.body") };
    expect(codes(raw)).toEqual(["not_a_plugin"]);
    expect(codes(null as unknown as Plugin)).toEqual(["not_a_plugin"]);
    const forged = { ...point("forged", "one", "declared") };
    expect(codes(bare("other.sample", { opens: [forged] }))).toContain("not_a_point");
    expect(codes(bare("any.body", { uses: [forged] }))).toContain("not_a_point");
    expect(() => definePoint({ id: "Sample.x", kind: "one", override: "never", check: isNote })).toThrow(TypeError);
    expect(() => definePoint({ id: "__proto__.x", kind: "one", override: "never", check: isNote })).toThrow(TypeError);
  });

  it("a point opened twice, a foreign prefix, a shared prefix", () => {
    expect(codes(bare("other.sample", { opens: [style] }))).toContain("point_opened_twice");
    expect(codes(bare("other.sample", { opens: [point("style", "one", "declared")] }))).toContain("point_opened_twice");
    expect(codes(bare("other.thing", { opens: [point("fresh", "one", "declared")] }))).toEqual([
      "point_of_another_protocol",
    ]);
    expect(codes(bare("evil.sample", { opens: [point("fresh", "one", "declared")] }))).toEqual(["prefix_shared"]);
    // `samples.` is not `sample.`
    const near = definePoint({ id: "samples.x", kind: "one", override: "declared", check: isNote });
    expect(codes(bare("protocol2.sample", { opens: [near] }))).toContain("point_of_another_protocol");
  });

  it.each([
    "signer",
    "nonceStore",
    "approver",
    "paymentInstruments",
    "paymentData",
    "credentials",
    "egress",
    "mandateVerifier",
  ])("sample.%s is for the host to decide", (name) => {
    const wide = (override: "host" | "declared") =>
      bare("other.thing", { opens: [definePoint({ id: `thing.${name}`, kind: "one", override, check: isNote })] });
    expect(codes(wide("declared"))).toEqual(["override_too_wide"]);
    expect(codes(wide("host"))).toEqual([]);
  });

  it("nor is a point that may hold secrets open to anybody", () => {
    expect(
      codes(bare("evil.sample", { opens: [point("open", "one", "declared", { secretBearing: true })] })),
    ).toContain("override_too_wide");
  });

  it("names that only end like one of those are free", () => {
    const free = ["restore", "cosigner"].map((name) =>
      definePoint({ id: `thing.${name}`, kind: "one", override: "declared", check: isNote }),
    );
    expect(codes(bare("other.thing", { opens: free }))).toEqual([]);
  });

  it("needs: missing with the nearest name, and circles by their members alone", () => {
    expect(problems(bare("any.body", { needs: ["protocol.sampel"] }))[0]?.message).toContain("protocol.sample");
    const circle = problems(
      bare("x.a", { needs: ["x.b"] }),
      bare("x.b", { needs: ["x.a", "not.here"] }),
      bare("x.leads-there", { needs: ["x.a"] }),
    );
    expect(circle).toContainEqual(expect.objectContaining({ code: "needs_in_a_circle", plugins: ["x.a", "x.b"] }));
    expect(circle.map((p) => p.code)).toContain("need_missing");
    expect(codes(bare("x.a", { needs: ["x.a"] }))).toEqual(["needs_in_a_circle"]);
  });

  it("a required point without a contribution fails, and cannot be emptied later", () => {
    const veto = definePoint({ id: "strict.veto", kind: "all", override: "declared", required: true, check: isNote });
    const strict = bare("other.strict", { opens: [veto] });
    expect(codes(strict)).toEqual(["required_missing"]);
    const built = build([corePlugin, strict, guest("any.filler", veto, { order: 1 })]);
    const emptied = built.ok ? built.kernel.without("any.filler") : built;
    expect(!emptied.ok && emptied.problems.map((p) => p.code)).toEqual(["required_missing"]);
    expect(built.ok && built.kernel.without("other.strict").ok).toBe(false);
  });

  it("every problem of a set is told, not only the first", () => {
    const many = [guest("a.a", style, {}), bare("b.b", { needs: ["c.c"] }), guest("d.d", note, { order: 5000 })];
    expect([...codes(...many)].sort()).toEqual(["bad_order", "need_missing", "order_missing"]);
  });
});

describe("PLG-3 PLG-5 descriptions", () => {
  const protocol = (id: string, layer: "transport" | "commerce" | "runtime" | "consent") =>
    bare(`protocol.${id}`, { describes: { ...describing(id, []), layer } });

  it("the listing is a read of one point: by layer, then by id", () => {
    const built = buildProtocols([
      protocol("zeta", "transport"),
      protocol("run", "runtime"),
      protocol("beta", "consent"),
      protocol("alpha", "transport"),
      protocol("pay", "commerce"),
    ]);
    expect(built.ok && listProtocols(built.kernel).map((d) => d.id)).toEqual(["alpha", "zeta", "beta", "pay", "run"]);
  });

  it("goes with its plugin", () => {
    const built = buildProtocols([protocol("alpha", "transport")]);
    const without = built.ok ? built.kernel.without("protocol.alpha") : built;
    expect(without.ok && listProtocols(without.kernel)).toEqual([]);
  });

  const described = (more: object): Plugin =>
    definePlugin({ ...owner, manifest: { ...owner.manifest, describes: { ...describes, ...more } } });
  const told = (plugin: Plugin) => {
    const built = buildProtocols([plugin]);
    return built.ok ? [] : built.problems.map((p) => p.code);
  };

  it.each<[string, object]>([
    ["no versions", { versions: [] }],
    ["a version twice", { versions: ["1", "1"] }],
    ["another layer", { layer: "magic" }],
    ["another state", { state: "finished" }],
    ["no catalogue", { catalogue: null }],
    ["a library without version", { libraries: [{ name: "x" }] }],
    ["something more", { backend: "http://10.0.0.1" }],
    ["something more inside", { catalogue: { id: "sample", versions: ["1.0"], key: "k" } }],
  ])("%s is not a description", (_name, more) => {
    expect(told(described(more))).toContain("bad_value");
  });

  it("speaks for itself, once, of the points it opens; a protocol without one is refused", () => {
    expect(told(described({ id: "pact", catalogue: { id: "pact", versions: ["1.0"] } }))).toEqual([
      "description_differs",
    ]);
    expect(told(described({ points: POINTS.slice(1).map((p) => p.id) }))).toEqual(["description_differs"]);
    const twice = bare("other.twice", { uses: [protocolsDescription], describes: describing("twice", []) }, (put) =>
      put(protocolsDescription, { id: "again", value: describing("twice", []), order: 5 }),
    );
    expect(told(twice)).toEqual(["description_twice"]);
    expect(told(bare("protocol.mute"))).toEqual(["description_missing"]);
    expect(told(bare("host.vault"))).toEqual([]);
  });
});
