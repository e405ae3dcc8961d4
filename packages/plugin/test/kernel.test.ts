import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type AnyPoint,
  askAll,
  build,
  buildProtocols,
  type Contribution,
  checkPlugin,
  corePlugin,
  definePlugin,
  definePoint,
  type Kind,
  listProtocols,
  type Override,
  type Plugin,
  type Point,
  type ProblemCode,
  type ProtocolDescription,
  startPlugins,
} from "../src/index.ts";

const isText = (v: unknown): v is string => typeof v === "string";
const point = <K extends Kind>(
  name: string,
  kind: K,
  override: Override,
  more: { required?: boolean; secretBearing?: boolean } = {},
): Point<string, K> => definePoint({ id: `sample.${name}`, kind, override, check: isText, ...more });

const signer = point("signer", "one", "host", { secretBearing: true });
const store = point("store", "one", "declared");
const other = point("other", "keyed", "declared");
const note = point("note", "all", "declared");
const sealed = point("sealed", "one", "never");
const POINTS = [signer, store, other, note, sealed];

const describes: ProtocolDescription = {
  id: "sample",
  name: "Sample",
  versions: ["1.0"],
  publisher: "nobody",
  layer: "transport",
  roles: ["client"],
  state: "implemented",
  points: POINTS.map((p) => p.id),
  catalogue: { id: "sample", versions: ["1.0"] },
  libraries: [],
};

const owner = definePlugin({
  manifest: { id: "protocol.sample", version: "1", title: "Sample", opens: POINTS, uses: [], describes },
  contribute(put) {
    put(signer, { id: "default", value: "canary-default-key" });
    put(store, { id: "default", value: "memory" });
    put(sealed, { id: "default", value: "sealed" });
  },
});

function guest(
  id: string,
  at: Point<string>,
  contribution: Contribution<string>,
  uses: readonly AnyPoint[] = [at],
): Plugin {
  return definePlugin({
    manifest: { id, version: "1", title: id, opens: [], uses },
    contribute: (put) => put(at, contribution),
  });
}

function codes(...plugins: readonly Plugin[]): readonly ProblemCode[] {
  const result = build([corePlugin, owner, ...plugins], { trusted: ["host.vault"] });
  return result.ok ? [] : result.problems.map((p) => p.code);
}

describe("PLG-1 permission and precedence are apart", () => {
  it.each<[string, Plugin, readonly ProblemCode[]]>([
    ["a trusted plugin at a host point", guest("host.vault", signer, { id: "v", value: "x", order: 10 }), []],
    [
      "an untrusted one, however low its order",
      guest("evil.signer", signer, { id: "v", value: "x", order: 0 }),
      ["not_permitted"],
    ],
    [
      "a trusted one at a point of the owner alone",
      guest("host.vault", sealed, { id: "v", value: "x", order: 0 }),
      ["not_permitted"],
    ],
    ["a declared one", guest("any.body", store, { id: "v", value: "x", order: 10 }), []],
    [
      "one that did not declare it",
      guest("any.body", store, { id: "v", value: "x", order: 10 }, []),
      ["point_not_declared"],
    ],
    ["one without an order", guest("any.body", store, { id: "v", value: "x" }), ["order_missing"]],
    ["one with half an order", guest("any.body", store, { id: "v", value: "x", order: 1.5 }), ["bad_order"]],
    ["one with NaN for an order", guest("any.body", store, { id: "v", value: "x", order: Number.NaN }), ["bad_order"]],
    ["one beyond the last order", guest("any.body", store, { id: "v", value: "x", order: 1000 }), ["bad_order"]],
    [
      "a value that the point does not take",
      guest("any.body", store, { id: "v", value: 5 as unknown as string, order: 10 }),
      ["bad_value"],
    ],
    ["no key where one is needed", guest("any.body", other, { id: "v", value: "x", order: 10 }), ["key_missing"]],
    ["a key where none is", guest("any.body", store, { id: "v", value: "x", order: 10, key: "k" }), ["key_unexpected"]],
    ["a tie with the default", guest("any.body", store, { id: "v", value: "x", order: 100 }), ["tie"]],
    [
      "a point that nobody opens",
      guest("any.body", point("stroe", "one", "declared"), { id: "v", value: "x", order: 1 }),
      ["point_not_opened"],
    ],
  ])("%s", (_name, plugin, expected) => {
    expect(codes(plugin)).toEqual(expected);
  });

  it("a mistyped point is told the nearest known one", () => {
    const result = build([
      corePlugin,
      owner,
      guest("any.body", point("stroe", "one", "declared"), { id: "v", value: "x", order: 1 }),
    ]);
    expect(!result.ok && result.problems[0]?.message).toContain("sample.store");
  });

  it("the owner's defaults stand at 100 and nowhere else", () => {
    const bold = definePlugin({
      manifest: { ...owner.manifest, describes },
      contribute: (put) => put(store, { id: "d", value: "x", order: 50 }),
    });
    const result = build([corePlugin, bold]);
    expect(!result.ok && result.problems.map((p) => p.code)).toContain("bad_order");
  });

  it("a tie at the winning order names both plugins and the point; below the winner it is allowed", () => {
    const a = guest("one.a", store, { id: "a", value: "a", order: 20 });
    const b = guest("two.b", store, { id: "b", value: "b", order: 20 });
    const tie = build([corePlugin, owner, a, b]);
    expect(tie.ok ? [] : tie.problems).toMatchObject([
      { code: "tie", plugins: ["one.a", "two.b"], point: "sample.store" },
    ]);
    expect(build([corePlugin, owner, a, b, guest("win.c", store, { id: "c", value: "c", order: 5 })]).ok).toBe(true);
  });

  it("a contribution goes with its plugin and the default comes back", () => {
    const result = build([corePlugin, owner, guest("one.a", store, { id: "a", value: "mine", order: 20 })]);
    if (!result.ok) throw new Error("builds");
    expect(result.kernel.scope("protocol.sample").get(store)).toBe("mine");
    const back = result.kernel.without("one.a");
    expect(back.ok && back.kernel.scope("protocol.sample").get(store)).toBe("memory");
    expect(result.kernel.scope("protocol.sample").get(store)).toBe("mine");
  });

  it("every problem of a set is told, not only the first", () => {
    expect(
      codes(guest("a.a", store, { id: "v", value: "x" }), guest("b.b", signer, { id: "v", value: "x", order: 1 }))
        .length,
    ).toBe(2);
  });

  it("two plugins under one id, one point opened twice, a foreign prefix, a missing need, a circle of needs", () => {
    const bare = (id: string, more: Partial<Plugin["manifest"]>) =>
      definePlugin({ manifest: { id, version: "1", title: id, opens: [], uses: [], ...more }, contribute() {} });
    expect(codes(bare("protocol.sample", {}))).toContain("plugin_twice");
    expect(codes(bare("other.sample", { opens: [point("store", "one", "declared")] }))).toContain("point_opened_twice");
    expect(codes(bare("other.thing", { opens: [point("fresh", "one", "declared")] }))).toContain(
      "point_of_another_protocol",
    );
    expect(codes(bare("other.thing", { needs: ["not.here"] }))).toContain("need_missing");
    expect(codes(bare("x.a", { needs: ["x.b"] }), bare("x.b", { needs: ["x.a"] }))).toContain("needs_in_a_circle");
  });

  it("a required point without a contribution fails, and cannot be emptied later", () => {
    const veto = definePoint({ id: "strict.veto", kind: "all", override: "declared", required: true, check: isText });
    const strict = definePlugin({
      manifest: { id: "protocol.strict", version: "1", title: "s", opens: [veto], uses: [] },
      contribute() {},
    });
    const filler = guest("any.filler", veto, { id: "v", value: "x", order: 1 });
    expect(codes(strict)).toEqual(["required_missing"]);
    const built = build([corePlugin, strict, filler]);
    expect(built.ok && built.kernel.without("any.filler").ok).toBe(false);
  });
});

describe("PLG-1 the snapshot", () => {
  it("does not depend on the order of registration", () => {
    const guests = [
      guest("a.a", store, { id: "v", value: "a", order: 10 }),
      guest("b.b", store, { id: "v", value: "b", order: 20 }),
      guest("c.c", note, { id: "1", value: "first", order: 7 }),
      guest("d.d", note, { id: "2", value: "second", order: 7 }),
      guest("e.e", other, { id: "v", value: "keyed", order: 3, key: "urn:x" }),
    ];
    const all = [corePlugin, owner, ...guests];
    const read = (plugins: readonly Plugin[]) => {
      const built = build(plugins);
      if (!built.ok) throw new Error("builds");
      const scope = built.kernel.scope("protocol.sample");
      return JSON.stringify([
        scope.get(store),
        scope.get(note),
        [...scope.get(other)],
        built.kernel.explain("sample.store"),
      ]);
    };
    const expected = read(all);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => read(shuffled) === expected),
    );
  });

  it("PLG-10 never shows the value of a secret-bearing point", () => {
    const built = build([corePlugin, owner]);
    if (!built.ok) throw new Error("builds");
    const shown = [
      JSON.stringify(built.kernel.explain("sample.signer")),
      JSON.stringify(built.kernel.describe()),
      inspect(built.kernel.explain("sample.signer"), { depth: 9 }),
    ];
    for (const text of shown) expect(text).not.toContain("canary");
    expect(built.kernel.scope("protocol.sample").get(signer)).toBe("canary-default-key");
  });

  it("a plugin reads the points it opens or uses, and no others", () => {
    const built = build([corePlugin, owner, guest("one.a", store, { id: "a", value: "a", order: 20 })]);
    expect(() => built.ok && built.kernel.scope("one.a").get(signer)).toThrow();
  });

  it("wrong values and kinds are refused by the compiler", () => {
    expectTypeOf<Contribution<string>["value"]>().toEqualTypeOf<string>();
    definePlugin({
      manifest: { id: "type.test", version: "1", title: "t", opens: [], uses: [store] },
      contribute(put) {
        // @ts-expect-error a number is not what the point takes
        put(store, { id: "x", value: 5, order: 1 });
      },
    });
    const built = build([corePlugin, owner]);
    if (built.ok) {
      const scope = built.kernel.scope("protocol.sample");
      expectTypeOf(scope.get(store)).toEqualTypeOf<string | undefined>();
      expectTypeOf(scope.get(other)).toEqualTypeOf<ReadonlyMap<string, string>>();
      expectTypeOf(scope.get(note)).toEqualTypeOf<readonly string[]>();
    }
  });
});

describe("PLG-3 PLG-5 descriptions", () => {
  it("the listing is a read of one point, in a stable order", () => {
    const built = buildProtocols([owner]);
    expect(built.ok && listProtocols(built.kernel).map((d) => d.id)).toEqual(["sample"]);
  });
});

describe("PLG-4 the table that every protocol is held to", () => {
  const points = {
    points: POINTS.map((p) => ({ id: p.id, default: [signer, store, sealed].some((d) => d.id === p.id) })),
  };
  const input = { plugin: owner, points, exported: POINTS, sample: () => "sample" };

  it("passes a plugin that keeps its word", () => {
    expect(checkPlugin(input)).toEqual([]);
  });

  it.each<[string, Partial<Parameters<typeof checkPlugin>[0]>]>([
    ["a point that the file does not list", { points: { points: points.points.slice(1) } }],
    ["a default that is missing", { points: { points: points.points.map((p) => ({ ...p, default: true })) } }],
    ["a default that is not listed", { points: { points: points.points.map((p) => ({ ...p, default: false })) } }],
    ["a point that is not exported", { exported: POINTS.slice(1) }],
    [
      "versions that are not the catalogue's",
      {
        plugin: definePlugin({
          ...owner,
          manifest: { ...owner.manifest, describes: { ...describes, versions: ["2.0"] } },
        }),
      },
    ],
    [
      "a point missing in the description",
      { plugin: definePlugin({ ...owner, manifest: { ...owner.manifest, describes: { ...describes, points: [] } } }) },
    ],
  ])("catches %s", (_name, change) => {
    expect(checkPlugin({ ...input, ...change })).not.toEqual([]);
  });
});

describe("PLG-1 starting and asking", () => {
  const never = { limitMs: 1, after: () => () => {} };
  const atOnce = {
    limitMs: 1,
    after: (_ms: number, then: () => void) => {
      queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => queueMicrotask(then))));
      return () => {};
    },
  };

  it("starts in the order of needs, and ends what had started, backwards, when one fails", async () => {
    const log: string[] = [];
    const starting = (id: string, needs: readonly string[], fail: "fails" | "works") =>
      definePlugin({
        manifest: { id, version: "1", title: id, opens: [], uses: [], needs },
        contribute() {},
        start: async () => {
          log.push(`start ${id}`);
          if (fail === "fails") throw new Error("no");
          return async () => void log.push(`stop ${id}`);
        },
      });
    const built = build([
      corePlugin,
      starting("z.base", [], "works"),
      starting("b.mid", ["z.base"], "works"),
      starting("a.top", ["b.mid"], "fails"),
    ]);
    if (!built.ok) throw new Error("builds");
    const started = await startPlugins(built.kernel, { ...never, ctxFor: () => ({}) as never });
    expect(started).toEqual({ ok: false, reason: { plugin: "a.top", why: "threw" } });
    expect(log).toEqual(["start z.base", "start b.mid", "start a.top", "stop b.mid", "stop z.base"]);
  });

  it("a decision point that nobody fills, that throws, is silent or mumbles is a refusal", async () => {
    expect(await askAll([], "?", never)).toEqual({ allowed: false, why: "nobody_answered" });
    expect(await askAll([() => true, () => true], "?", never)).toEqual({ allowed: true });
    expect(await askAll([() => true, () => false], "?", never)).toMatchObject({
      allowed: false,
      why: "refused",
      by: 1,
    });
    expect(
      await askAll(
        [
          () => {
            throw new Error("x");
          },
        ],
        "?",
        never,
      ),
    ).toMatchObject({ allowed: false, why: "threw" });
    expect(await askAll([() => "yes" as unknown as boolean], "?", never)).toMatchObject({
      allowed: false,
      why: "not_a_verdict",
    });
    expect(await askAll([() => new Promise<boolean>(() => {})], "?", atOnce)).toMatchObject({
      allowed: false,
      why: "too_slow",
    });
  });
});
