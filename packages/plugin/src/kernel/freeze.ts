/** One step from a value to a part of it, with the way there for a problem's text. */
interface Part {
  readonly value: object;
  readonly path: string;
}

/**
 * Freezes plain data all the way down, and the outermost object of whatever class. An inner object of a class is left
 * as it is (its keeper answers for it), and getters are not called.
 */
export function deepFreeze<T>(value: T): T {
  for (const part of parts(value)) if (isPlain(part.value)) Object.freeze(part.value);
  // Bytes cannot be frozen: the attempt throws.
  return ArrayBuffer.isView(value) ? value : Object.freeze(value);
}

/**
 * Where a value holds something that freezing does not stop from changing (a Map, a Set, a Date, bytes), so that one
 * reader could change what another reads; undefined when there is none.
 */
export function neverFrozen(value: unknown): string | undefined {
  for (const part of parts(value)) if (changesAnyway(part.value)) return part.path;
  return undefined;
}

function changesAnyway(value: object): boolean {
  return (
    value instanceof Map ||
    value instanceof Set ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof Date ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

function* parts(root: unknown): Generator<Part> {
  const seen = new Set<unknown>();
  const waiting: { readonly value: unknown; readonly path: string }[] = [{ value: root, path: "value" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (!isPlain(value)) {
      if (changesAnyway(value)) yield { value, path };
      continue;
    }
    yield { value, path };
    for (const name of Reflect.ownKeys(value)) {
      const member = Object.getOwnPropertyDescriptor(value, name);
      if (member !== undefined && "value" in member)
        waiting.push({ value: member.value, path: `${path}.${String(name)}` });
    }
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
