/** How many contributions of a point count: one winner, one winner per key, or every one. */
export type Kind = "one" | "keyed" | "all";

/**
 * Who may contribute besides the plugin that opened the point. This is permission, and apart from precedence: a lower
 * order wins only among those that were allowed to speak.
 */
export type Override =
  /** Plugins in the host's trusted list. */
  | "host"
  /** Any plugin that lists the point in its manifest's `uses`. */
  | "declared"
  /** The owner alone. */
  | "never";

export type PointId = `${string}.${string}`;

declare const gives: unique symbol;
declare const takes: unique symbol;

/**
 * A named, typed place that a plugin opens; compared by identity, never by its name. This is the reading side, so a
 * `Point<Dog>` is a `Point<Animal>`, and a list of points of any values is a list of `Point<unknown, Kind>`.
 */
export interface Point<out T, out K extends Kind = Kind> {
  readonly id: PointId;
  readonly kind: K;
  readonly override: Override;
  /** At least one contribution must stand, or the build fails. */
  readonly required: boolean;
  /** Its values are shown as a placeholder by every serializer, and read by trusted plugins only. */
  readonly secretBearing: boolean;
  readonly check: (candidate: unknown) => boolean;
  readonly [gives]?: T;
}

/**
 * A point as {@link definePoint} made it, which can be contributed to. Unlike {@link Point} it is exact in `T`: once
 * widened, a point can still be read and listed, but nothing can be put there through the wider type.
 */
export interface FillablePoint<in out T, out K extends Kind = Kind> extends Point<T, K> {
  readonly [takes]: (value: T) => void;
}

export type AnyPoint = Point<unknown, Kind>;

const ID = /^[a-z][a-z0-9_]*(\.[a-zA-Z][a-zA-Z0-9_]*)+$/;
const made = new WeakSet<object>();

/** Opens a point. @throws TypeError when the id is not `<protocol>.<point>` in snake_case and camelCase. */
export function definePoint<T, const K extends Kind>(definition: {
  readonly id: PointId;
  readonly kind: K;
  readonly override: Override;
  readonly required?: boolean;
  readonly secretBearing?: boolean;
  /** Run on every contributed value at build. */
  readonly check: (candidate: unknown) => candidate is T;
}): FillablePoint<T, K> {
  if (!ID.test(definition.id)) throw new TypeError(`a point id is <protocol>.<point>: ${definition.id}`);
  const { id, kind, override, check, required = false, secretBearing = false } = definition;
  const point: Point<T, K> = Object.freeze({ id, kind, override, check, required, secretBearing });
  made.add(point);
  // `takes` is for the compiler alone and has no value at run time.
  return point as FillablePoint<T, K>;
}

/** True for points of {@link definePoint} only, which are well-formed and frozen. */
export function isPoint(candidate: unknown): candidate is AnyPoint {
  return typeof candidate === "object" && candidate !== null && made.has(candidate);
}

/** What a point's contributions are. */
export type ValueOf<P> = P extends Point<infer T> ? T : never;

/** What reading a point gives, by its kind. */
export type Got<P> =
  P extends Point<infer T, infer K>
    ? K extends "one"
      ? T | undefined
      : K extends "keyed"
        ? ReadonlyMap<string, T>
        : readonly T[]
    : never;
