import { expect, expectTypeOf, it } from "vitest";
import { type Contribution, definePlugin, type Put } from "../src/index.ts";
import {
  type AnyPoint,
  definePoint,
  type FillablePoint,
  type Got,
  type Point,
  type ValueOf,
} from "../src/kernel/point.ts";

interface Animal {
  readonly name: string;
}
interface Dog extends Animal {
  readonly bark: () => string;
}
const isDog = (v: unknown): v is Dog => typeof v === "object" && v !== null && "bark" in v;
const dog = definePoint({ id: "zoo.dog", kind: "one", override: "declared", check: isDog });
const dogs = definePoint({ id: "zoo.dogs", kind: "all", override: "declared", check: isDog });
const byName = definePoint({ id: "zoo.byName", kind: "keyed", override: "declared", check: isDog });

/** Compiled, never run: each line that must not compile says so. */
function refused(put: Put, cat: Animal): void {
  put(dog, { id: "x", value: { name: "Rex", bark: () => "!" } });
  // @ts-expect-error a number is not what the point takes
  put(dog, { id: "x", value: 5 });
  // @ts-expect-error nor is a wider thing, which inference alone would widen the point for
  put(dog, { id: "x", value: cat });
  // @ts-expect-error a point widened to one of animals can be read, and not be filled with a cat
  put<Animal>(dog, { id: "x", value: cat });
  const wide: Point<Animal> = dog;
  // @ts-expect-error the reading side takes nothing
  put(wide, { id: "x", value: cat });
  const any: AnyPoint = dog;
  // @ts-expect-error nor does a point of a list
  put(any, { id: "x", value: cat });
  // @ts-expect-error and the exact side cannot be widened
  const widened: FillablePoint<Animal> = dog;
  put(widened, { id: "x", value: cat });
  // @ts-expect-error an order is a number
  put(dog, { id: "x", value: { name: "Rex", bark: () => "!" }, order: "1" });
}

it("wrong values and kinds are refused by the compiler", () => {
  expect(refused).toBeTypeOf("function");
  expectTypeOf<Got<typeof dog>>().toEqualTypeOf<Dog | undefined>();
  expectTypeOf<Got<typeof dogs>>().toEqualTypeOf<readonly Dog[]>();
  expectTypeOf<Got<typeof byName>>().toEqualTypeOf<ReadonlyMap<string, Dog>>();
  expectTypeOf<ValueOf<typeof dog>>().toEqualTypeOf<Dog>();
  expectTypeOf<ValueOf<AnyPoint>>().toEqualTypeOf<unknown>();
  expectTypeOf<Contribution<string>["value"]>().toEqualTypeOf<string>();
  // A list of points of any values is a list of Point<unknown, Kind>, and needs no `any`.
  expectTypeOf([dog, dogs, byName]).toExtend<readonly AnyPoint[]>();
  expectTypeOf(definePlugin).parameter(0).not.toBeAny();
  expectTypeOf<AnyPoint>().not.toBeAny();
});
