import { secret } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze, neverFrozen } from "./freeze.ts";
import { canHide, hide } from "./hide.ts";

describe("freezing", () => {
  it("any plain data is frozen at every depth", () => {
    const frozen = (v: unknown): boolean =>
      typeof v !== "object" || v === null || (Object.isFrozen(v) && Object.values(v).every(frozen));
    fc.assert(fc.property(fc.object({ withNullPrototype: true }), (value) => frozen(deepFreeze(value))));
  });

  it("goes through what is frozen already, circles and symbols; calls no getter; leaves inner objects of a class", () => {
    const name = Symbol("name");
    const inner = { n: 1 };
    const circle: Record<string | symbol, unknown> = {
      outer: Object.freeze({ inner }),
      [name]: { m: 1 },
      url: new URL("http://a/"),
    };
    circle["self"] = circle;
    Object.defineProperty(circle, "trap", { enumerable: true, get: () => expect.unreachable() });
    deepFreeze(circle);
    expect([inner, circle[name], circle].every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(circle["url"])).toBe(false);
  });

  it("bytes and primitives pass", () => {
    const bytes = new Uint8Array(2);
    expect(deepFreeze(bytes)).toBe(bytes);
    expect(deepFreeze("x")).toBe("x");
    expect(neverFrozen("x")).toBeUndefined();
    expect(neverFrozen(bytes)).toBe("value");
  });
});

describe("placeholders", () => {
  it("what is hidden stays itself", () => {
    class Signer {
      readonly #key = "k";
      sign(): string {
        return this.#key;
      }
    }
    const signer = new Signer();
    hide(signer);
    expect(signer.sign()).toBe("k");
    expect(JSON.stringify(signer)).toBe('"[contribution]"');
    const call = () => "called";
    hide(call);
    expect(call()).toBe("called");
    expect(JSON.stringify({ call })).toBe('{"call":"[contribution]"}');
  });

  it("knows what cannot carry one", () => {
    expect(canHide("text")).toBe(false);
    expect(canHide(Object.freeze({}))).toBe(false);
    expect(canHide(Object.defineProperty({}, "toJSON", { value: () => "leak" }))).toBe(false);
    expect(canHide({ toJSON: () => "replaced" })).toBe(true);
    expect(canHide(secret("s"))).toBe(true);
    const value = {};
    hide(value);
    expect(canHide(Object.freeze(value))).toBe(true);
  });
});
