const inspect = Symbol.for("nodejs.util.inspect.custom");
const HIDDEN = "[contribution]";

/** Freezes plain data all the way down. What has a class of its own is left as it is: its keeper answers for it. */
export function deepFreeze<T>(value: T, seen: Set<unknown> = new Set()): T {
  if (typeof value !== "object" || value === null || seen.has(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return value;
  seen.add(value);
  for (const inner of Object.values(value)) deepFreeze(inner, seen);
  return Object.freeze(value);
}

/** Values of a secret-bearing point, in a box that every serializer shows as a placeholder. */
export class Shielded {
  readonly #value: unknown;
  constructor(value: unknown) {
    this.#value = value;
    Object.freeze(this);
  }
  open(): unknown {
    return this.#value;
  }
  toJSON(): string {
    return HIDDEN;
  }
  toString(): string {
    return HIDDEN;
  }
  [inspect](): string {
    return HIDDEN;
  }
}
