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

declare const value: unique symbol;

/** A named, typed place that a plugin opens. Made by {@link definePoint}; compared by identity, never by its name. */
export interface Point<T, K extends Kind = Kind> {
  readonly id: PointId;
  readonly kind: K;
  readonly override: Override;
  /** At least one contribution must stand, or the build fails. */
  readonly required: boolean;
  /** Its values are shown as a placeholder by every serializer. */
  readonly secretBearing: boolean;
  readonly check: (candidate: unknown) => boolean;
  readonly [value]?: T;
}

export type AnyPoint = Point<unknown, Kind>;

const ID = /^[a-z][a-z0-9_]*(\.[a-zA-Z][a-zA-Z0-9_]*)+$/;

/** Opens a point. @throws TypeError when the id is not `<protocol>.<point>` in snake_case and camelCase. */
export function definePoint<T, K extends Kind>(definition: {
  readonly id: PointId;
  readonly kind: K;
  readonly override: Override;
  readonly required?: boolean;
  readonly secretBearing?: boolean;
  /** Run on every contributed value at build. */
  readonly check: (candidate: unknown) => candidate is T;
}): Point<T, K> {
  if (!ID.test(definition.id)) throw new TypeError(`a point id is <protocol>.<point>: ${definition.id}`);
  return Object.freeze({
    ...definition,
    required: definition.required ?? false,
    secretBearing: definition.secretBearing ?? false,
  });
}

/** What reading a point gives, by its kind. */
export type Got<P> =
  P extends Point<infer T, infer K>
    ? K extends "one"
      ? T | undefined
      : K extends "keyed"
        ? ReadonlyMap<string, T>
        : readonly T[]
    : never;
