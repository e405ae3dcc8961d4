const HIDDEN = "[secret]";
const inspect = Symbol.for("nodejs.util.inspect.custom");

/**
 * Holds a value that must not reach a log, an error, a URL or a record. {@link Secret.reveal} is the only way to it:
 * every serializer (text, JSON, inspect, console, structured clone, spread) shows `[secret]` or nothing.
 */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
    Object.freeze(this);
  }

  /** The value. Call it where the value is used, and keep the result no longer than that. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [Symbol.toPrimitive](): string {
    return HIDDEN;
  }

  get [Symbol.toStringTag](): string {
    return "Secret";
  }

  /** Node's util.inspect and console; looked up by its registered symbol, so nothing of Node is needed. */
  [inspect](): string {
    return HIDDEN;
  }

  static is(value: unknown): value is Secret<unknown> {
    return typeof value === "object" && value !== null && #value in value;
  }
}

export function secret<T>(value: T): Secret<T> {
  return new Secret(value);
}

/** True for secrets of this class only: an object shaped like one does not pass. */
export function isSecret(value: unknown): value is Secret<unknown> {
  return Secret.is(value);
}
