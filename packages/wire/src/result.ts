/**
 * The answer of everything a caller can make fail: a value, or one reason out of a closed union.
 * Thrown errors are for our own bugs only.
 */
export type Result<T, E> = Ok<T> | Err<E>;
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}
export interface Err<E> {
  readonly ok: false;
  readonly reason: E;
}

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function err<E>(reason: E): Err<E> {
  return { ok: false, reason };
}

/** Thrown by {@link assert} and {@link unreachable}: something that must always hold did not. */
export class AssertionFailed extends Error {
  override readonly name = "AssertionError";
}

/**
 * States what must hold; stays on in production. `message` is written by us and never holds a caller's value.
 * @throws AssertionFailed when `condition` is falsy.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}

/** Ends an exhaustive switch. The value is not put in the message: it may be a secret or a person's data. */
export function unreachable(_x: never): never {
  throw new AssertionFailed("unreachable");
}
