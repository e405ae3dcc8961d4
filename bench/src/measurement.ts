/** One row of the table. `figures` are in the units of their names (`p50_ms`, `per_second`, `mib`). */
export interface Measurement {
  readonly name: string;
  readonly what: string;
  readonly figures: Readonly<Record<string, number>>;
  readonly targets: readonly Target[];
}

/** A figure that was promised. `got` and `wanted` are in the same unit. */
export interface Target {
  readonly what: string;
  readonly wanted: string;
  readonly got: number;
  readonly met: boolean;
}

export function atLeast(what: string, got: number, floor: number): Target {
  return { what, wanted: `at least ${floor}`, got, met: got >= floor };
}

export function below(what: string, got: number, ceiling: number): Target {
  return { what, wanted: `below ${ceiling}`, got, met: got < ceiling };
}

export function atMost(what: string, got: number, ceiling: number): Target {
  return { what, wanted: `at most ${ceiling}`, got, met: got <= ceiling };
}
