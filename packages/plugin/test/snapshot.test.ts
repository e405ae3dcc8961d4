import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { build, corePlugin, type Plugin } from "../src/index.ts";
import { type AnyPoint, definePoint } from "../src/kernel/point.ts";
import { bare, CANARY, guest, kernelOf, note, other, owner, point, signer, style, TRUSTED } from "./support/sample.ts";

describe("PLG-1 the snapshot", () => {
  const guests = [
    guest("a.a", style, { order: 10 }),
    guest("b.b", style, { order: 20 }),
    guest("c.c", note, { order: 7 }),
    guest("d.d", note, { order: 7 }),
    guest("e.e", other, { order: 3, key: "urn:x" }),
    guest("f.f", other, { order: 3, key: "urn:y" }),
  ];
  const wrong = [
    guest("g.g", style, { order: 10 }),
    bare("h.h", { needs: ["no.where", "i.i"] }),
    bare("i.i", { needs: ["h.h"] }),
    guest("j.j", point("stlye", "one", "declared"), { order: 1 }),
    guest("j.j", signer, { order: 0 }),
    bare("other.sample", { opens: [point("style", "one", "declared")] }),
  ];

  function read(plugins: readonly Plugin[]): string {
    const built = build(plugins, { trusted: TRUSTED });
    if (!built.ok) return JSON.stringify(built.problems);
    const scope = built.kernel.scope("protocol.sample");
    return JSON.stringify([
      scope.get(style),
      scope.get(note),
      [...scope.get(other)],
      built.kernel.explain("sample.style"),
      built.kernel.explain("sample.other"),
      built.kernel.plugins.map((p) => p.manifest.id),
    ]);
  }

  it("PLG-1 any subset gives the same result, or the same problems, in any order of registration", () => {
    const all = [corePlugin, owner, ...guests, ...wrong];
    const subset = fc.subarray(all.slice(2));
    const shuffled = subset.chain((some) => {
      const set = [corePlugin, owner, ...some];
      return fc.tuple(fc.constant(set), fc.shuffledSubarray(set, { minLength: set.length }));
    });
    fc.assert(fc.property(shuffled, ([set, mixed]) => read(mixed) === read(set)));
    expect(JSON.parse(read(all)).length).toBeGreaterThan(5);
  });

  it("off and on again, one by one in any order, is the same set", () => {
    const [first, ...rest] = guests.map((g) => g.manifest.id);
    const kernel = kernelOf(...guests);
    const off = kernel.without(first ?? "", ...rest);
    const on = guests.toReversed().reduce((now, g) => (now.ok ? now.kernel.with(g) : now), off);
    expect(on.ok && on.kernel.explain("sample.style")).toEqual(kernel.explain("sample.style"));
  });

  it("a contribution goes with its plugin, the default comes back, and a running task keeps the set it has", () => {
    const kernel = kernelOf(guest("one.a", style, { order: 20, text: "mine" }));
    expect(kernel.scope("protocol.sample").get(style)?.text).toBe("mine");
    const back = kernel.without("one.a");
    expect(back.ok && back.kernel.scope("protocol.sample").get(style)?.text).toBe("default");
    expect(kernel.scope("protocol.sample").get(style)?.text).toBe("mine");
  });

  it("trust outlives an absence, and an unknown name is told the nearest", () => {
    const vault = guest("host.vault", signer, { order: 1 });
    const off = kernelOf(vault).without("host.vault");
    expect(off.ok && off.kernel.with(vault).ok).toBe(true);
    const mistyped = kernelOf().without("protocol.sampel");
    expect(!mistyped.ok && mistyped.problems).toMatchObject([{ code: "plugin_unknown" }]);
    expect(!mistyped.ok && mistyped.problems[0]?.message).toContain("protocol.sample");
  });

  it("a plugin reads the points it opens or uses, and does not widen them later", () => {
    const uses: AnyPoint[] = [style];
    const kernel = kernelOf(bare("one.a", { uses }));
    uses.push(signer);
    expect(kernel.scope("one.a").get(style)?.text).toBe("default");
    expect(() => kernel.scope("one.a").get(signer)).toThrow();
    expect(() => kernel.scope("one.a").entries(signer)).toThrow();
    expect(() => kernel.scope("no.one")).toThrow();
  });

  it("is frozen all the way down, whoever reads it", () => {
    interface Deep {
      readonly list: { n: number }[];
      readonly on: Keeper;
      readonly call: () => number;
    }
    class Keeper {
      #n = 0;
      count(): number {
        this.#n += 1;
        return this.#n;
      }
    }
    const isDeep = (v: unknown): v is Deep => typeof v === "object" && v !== null && "list" in v;
    const isKeeper = (v: unknown): v is Keeper => v instanceof Keeper;
    const deep = definePoint({ id: "deep.data", kind: "one", override: "declared", check: isDeep });
    const keeper = definePoint({ id: "deep.keeper", kind: "one", override: "declared", check: isKeeper });
    const plugin = bare("other.deep", { opens: [deep, keeper] }, (put) => {
      put(deep, { id: "d", value: { list: [{ n: 1 }], on: new Keeper(), call: () => 1 } });
      put(keeper, { id: "d", value: new Keeper() });
    });
    const scope = kernelOf(plugin).scope("other.deep");
    const read = scope.get(deep);
    expect(() => read?.list.push({ n: 2 })).toThrow(TypeError);
    expect(() => Object.assign(read?.list[0] ?? {}, { n: 2 })).toThrow(TypeError);
    expect(() => Object.assign(read ?? {}, { call: () => 2 })).toThrow(TypeError);
    expect(() => Object.assign(scope.get(keeper) ?? {}, { count: () => 9 })).toThrow(TypeError);
    expect(scope.get(keeper)?.count()).toBe(1);
    expect(Object.isFrozen(scope.entries(deep)) && Object.isFrozen(scope.entries(deep)[0])).toBe(true);
    expect(Object.isFrozen(kernelOf().explain("sample.style")?.contributions[0])).toBe(true);
  });

  it("a reader who changes the map he was given changes nothing for others", () => {
    const scope = kernelOf(guest("a.a", other, { order: 3, key: "k" })).scope("protocol.sample");
    (scope.get(other) as Map<string, unknown>).clear();
    expect(scope.get(other).size).toBe(1);
  });

  it("PLG-10 never shows the value of a secret-bearing point", () => {
    const kernel = kernelOf();
    const value = kernel.scope("protocol.sample").get(signer);
    const entries = kernel.scope("protocol.sample").entries(signer);
    for (const shown of [
      value,
      { value },
      [value],
      entries,
      kernel,
      kernel.explain("sample.signer"),
      kernel.describe(),
    ])
      for (const text of [JSON.stringify(shown), inspect(shown, { depth: 9 }), `${shown}`])
        expect(text ?? "").not.toContain(CANARY);
    expect(JSON.stringify({ value })).toBe('{"value":"[contribution]"}');
    expect(value?.text).toBe(CANARY);
  });

  it("PLG-10 a secret-bearing value that stays the same object stands in one set after another", () => {
    const value = { text: CANARY };
    const vault = bare("host.vault", { uses: [signer] }, (put) => put(signer, { id: "v", value, order: 1 }));
    const again = kernelOf(vault).with(bare("any.body"));
    expect(again.ok && JSON.stringify(again.kernel.scope("protocol.sample").get(signer))).toBe('"[contribution]"');
  });

  it("explain says who stands where and who wins", () => {
    expect(kernelOf(guest("one.a", style, { order: 20 })).explain("sample.style")).toEqual({
      point: "sample.style",
      owner: "protocol.sample",
      contributions: [
        { plugin: "one.a", id: "v", order: 20, wins: true },
        { plugin: "protocol.sample", id: "default", order: 100, wins: false },
      ],
    });
    expect(kernelOf().explain("sample.nothing")).toBeUndefined();
  });
});
