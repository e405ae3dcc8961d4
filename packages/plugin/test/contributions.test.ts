import { describe, expect, it } from "vitest";
import { definePlugin, type Plugin, type ProblemCode } from "../src/index.ts";
import {
  bare,
  codes,
  guest,
  kernelOf,
  note,
  other,
  owner,
  point,
  problems,
  sealed,
  signer,
  style,
} from "./support/sample.ts";

describe("PLG-1 permission and precedence are apart", () => {
  it.each<[string, Plugin, readonly ProblemCode[]]>([
    ["a trusted plugin at a host point", guest("host.vault", signer, { order: 10 }), []],
    ["a declared one", guest("any.body", style, { order: 10 }), []],
    ["a trusted one at a point of the owner alone", guest("host.vault", sealed, { order: 0 }), ["not_permitted"]],
    ["one that did not declare it", guest("any.body", style, { order: 10 }, []), ["point_not_declared"]],
    ["one without an order", guest("any.body", style, {}), ["order_missing"]],
    ["one with half an order", guest("any.body", style, { order: 1.5 }), ["bad_order"]],
    ["one with NaN for an order", guest("any.body", style, { order: Number.NaN }), ["bad_order"]],
    ["one below the first order", guest("any.body", style, { order: -1 }), ["bad_order"]],
    ["one at the first order", guest("any.body", style, { order: 0 }), []],
    ["one at the last order", guest("any.body", style, { order: 999 }), []],
    ["one beyond the last order", guest("any.body", style, { order: 1000 }), ["bad_order"]],
    ["no key where one is needed", guest("any.body", other, { order: 10 }), ["key_missing"]],
    ["a key on two lines", guest("any.body", other, { order: 10, key: "a\nb" }), ["bad_key"]],
    ["a key where none is", guest("any.body", style, { order: 10, key: "k" }), ["key_unexpected"]],
    ["a tie with the default", guest("any.body", style, { order: 100 }), ["tie"]],
    ["a contribution without a name", guest("any.body", style, { order: 10, id: "" }), ["bad_contribution_id"]],
    [
      "a point that nobody opens",
      guest("any.body", point("stlye", "one", "declared"), { order: 1 }),
      ["point_not_opened", "point_not_opened"],
    ],
    [
      "a point of another copy",
      guest("any.body", point("style", "one", "declared"), { order: 1 }),
      ["point_of_another_copy", "point_of_another_copy"],
    ],
  ])("%s", (_name, plugin, expected) => {
    expect(codes(plugin)).toEqual(expected);
  });

  it("an untrusted one at a host point, however low its order", () => {
    expect(codes(guest("evil.signer", point("x", "one", "host"), { order: 0 }, []))).toEqual(["point_not_opened"]);
    expect(codes(guest("evil.signer", signer, { order: 0 }))).toContain("not_permitted");
    const open = point("choice", "one", "host");
    const opener = definePlugin({
      ...owner,
      manifest: { ...owner.manifest, id: "other.sample", opens: [open], uses: [] },
    });
    expect(codes(opener, guest("evil.signer", open, { order: 0 }))).toContain("not_permitted");
  });

  it("an untrusted plugin does not read a secret-bearing point of another", () => {
    expect(codes(bare("evil.reader", { uses: [signer] }))).toEqual(["read_not_permitted"]);
    expect(codes(bare("host.vault", { uses: [signer] }))).toEqual([]);
  });

  it("a mistyped point is told the nearest known one", () => {
    expect(problems(guest("any.body", point("stlye", "one", "declared"), { order: 1 }))[0]?.message).toContain(
      "sample.style",
    );
    expect(problems(bare("any.body", { uses: [point("stlye", "one", "declared")] }))[0]?.message).toContain(
      "sample.style",
    );
  });

  it.each([50, 99, 101])("the owner's defaults stand at 100 and not at %i", (order) => {
    const bold = point("bold", "one", "declared");
    const opener = bare("protocol.sample", { opens: [bold] }, (put) =>
      put(bold, { id: "d", value: { text: "x" }, order }),
    );
    expect(codes(opener)).toContain("bad_order");
  });
});

describe("PLG-1 what is put", () => {
  const at = (value: unknown) =>
    bare("any.body", { uses: [style] }, (put) => put(style, { id: "v", value: value as { text: string }, order: 10 }));

  it.each([[5], [undefined], [null], ["text"], [{ text: 5 }]])("%j is not what the point takes", (value) => {
    expect(codes(at(value))).toEqual(["bad_value"]);
  });

  it("a check that throws has not said yes", () => {
    const trap = {
      get text(): string {
        throw new Error("trap");
      },
    };
    expect(codes(at(trap))).toEqual(["bad_value"]);
  });

  it.each([
    ["a map", new Map()],
    ["a set", new Set()],
    ["a date", new Date(0)],
    ["bytes", new Uint8Array(3)],
  ])("%s inside could be changed by a reader", (_name, inner) => {
    const [problem] = problems(at({ text: "x", deep: [{ inner }] }));
    expect(problem?.code).toBe("value_not_frozen");
    expect(problem?.message).toContain("value.deep.0.inner");
  });

  it("a secret-bearing value must be able to carry its placeholder", () => {
    const frozen = bare("host.vault", { uses: [signer] }, (put) =>
      put(signer, { id: "v", value: Object.freeze({ text: "x" }), order: 10 }),
    );
    expect(codes(frozen)).toEqual(["value_not_hidden"]);
  });

  it("the same name twice, a late put, an async contribute", () => {
    const twice = bare("any.body", { uses: [note] }, (put) => {
      put(note, { id: "v", value: { text: "a" }, order: 10 });
      put(note, { id: "v", value: { text: "b" }, order: 10 });
    });
    expect(codes(twice)).toEqual(["contribution_twice"]);
    let late = () => {};
    const plugin = bare("any.body", { uses: [note] }, (put) => {
      late = () => put(note, { id: "v", value: { text: "late" }, order: 10 });
    });
    const kernel = kernelOf(plugin);
    expect(late).toThrow("not after");
    expect(kernel.explain("sample.note")?.contributions).toEqual([]);
    expect(codes(bare("any.body", {}, async () => {}))).toEqual(["contribute_waits"]);
  });

  it("PLG-10 a throw while contributing is told without its text", () => {
    const throwing = bare("any.body", {}, () => {
      throw new TypeError("bad key canary");
    });
    const [problem] = problems(throwing);
    expect(problem?.code).toBe("contribute_threw");
    expect(problem?.message).toContain("TypeError");
    expect(JSON.stringify(problem)).not.toContain("canary");
  });

  it("a scope cannot be read while contributing, and answers afterwards", () => {
    const early = bare("any.body", { uses: [style] }, (_put, scope) => void scope.get(style));
    expect(codes(early)).toEqual(["contribute_threw"]);
    let read = (): unknown => undefined;
    kernelOf(
      bare("any.body", { uses: [style] }, (_put, scope) => {
        read = () => scope.get(style)?.text;
      }),
    );
    expect(read()).toBe("default");
  });
});

describe("PLG-1 winners", () => {
  it("a tie at the winning order names all plugins, the point and three ways out", () => {
    const tie = problems(...["one.a", "two.b", "three.c"].map((id) => guest(id, style, { order: 20 })));
    expect(tie).toMatchObject([{ code: "tie", plugins: ["one.a", "three.c", "two.b"], point: "sample.style" }]);
    for (const part of ["one.a", "two.b", "three.c", "sample.style", "Remove one", "lower order", "uses"])
      expect(tie[0]?.message).toContain(part);
    const atZero = problems(guest("one.a", style, { order: 0 }), guest("two.b", style, { order: 0 }));
    expect(atZero[0]?.message).toContain("higher order");
  });

  it("a tie at a host point may be settled by trust", () => {
    const two = bare("host.vault", { uses: [signer] }, (put) => {
      put(signer, { id: "a", value: { text: "x" }, order: 5 });
      put(signer, { id: "b", value: { text: "x" }, order: 5 });
    });
    expect(problems(two)[0]?.message).toContain("trusted");
  });

  it("a tie below the winner is allowed", () => {
    const below = ["one.a", "two.b"].map((id) => guest(id, style, { order: 20 }));
    expect(codes(...below, guest("win.c", style, { order: 5 }))).toEqual([]);
  });

  it("keyed: one winner per key, ties within a key only", () => {
    const kernel = kernelOf(
      guest("a.a", other, { order: 3, key: "urn:x" }),
      guest("b.b", other, { order: 2, key: "urn:x" }),
      guest("c.c", other, { order: 3, key: "__proto__" }),
    );
    const read = kernel.scope("protocol.sample").get(other);
    expect([...read].map(([key, value]) => [key, value.text])).toEqual([
      ["__proto__", "c.c"],
      ["urn:x", "b.b"],
    ]);
    const tied = [guest("a.a", other, { order: 3, key: "urn:x" }), guest("b.b", other, { order: 3, key: "urn:x" })];
    expect(problems(...tied)[0]?.message).toContain("urn:x");
    expect(codes(...tied)).toEqual(["tie"]);
  });

  it("all: by order, plugin, contribution", () => {
    const kernel = kernelOf(
      guest("b.b", note, { order: 7, id: "a" }),
      guest("a.a", note, { order: 7, id: "z" }),
      guest("z.z", note, { order: 1 }),
    );
    expect(
      kernel
        .scope("protocol.sample")
        .entries(note)
        .map((e) => [e.order, e.plugin]),
    ).toEqual([
      [1, "z.z"],
      [7, "a.a"],
      [7, "b.b"],
    ]);
  });
});
