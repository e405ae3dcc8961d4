import { isSecret } from "@countersign/wire";

/** What every serializer shows of a contribution to a secret-bearing point. */
export const HIDDEN = "[contribution]";

const inspect = Symbol.for("nodejs.util.inspect.custom");
const NAMES: readonly (string | symbol)[] = ["toJSON", "toString", inspect];
const placeholder = (): string => HIDDEN;

/**
 * Makes JSON, text and `util.inspect` show a placeholder for this object. The object itself stays what it is (a copy
 * or a proxy would break private fields); a spread copy is not covered, so keys belong in closures or `Secret`.
 */
export function hide(value: unknown): void {
  if (!isObject(value) || isSecret(value) || isHidden(value)) return;
  for (const name of NAMES) Object.defineProperty(value, name, { value: placeholder, enumerable: false });
}

/** False for what cannot carry the placeholder: a bare string or number, an object that is frozen already. */
export function canHide(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (isSecret(value) || isHidden(value)) return true;
  return (
    Object.isExtensible(value) &&
    NAMES.every((name) => Object.getOwnPropertyDescriptor(value, name)?.configurable !== false)
  );
}

/** A value that stood in an earlier set has its placeholder, and is frozen with it. */
function isHidden(value: object): boolean {
  return NAMES.every((name) => Object.getOwnPropertyDescriptor(value, name)?.value === placeholder);
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
