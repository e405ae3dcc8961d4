export interface Patch {
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

/** A guard taken out of the source, and the run that has to notice. */
export interface Mutant extends Patch {
  readonly name: string;
  readonly file: string;
  /** Where a second guard stands behind the first one, both are taken out. */
  readonly also?: Patch;
  /** Arguments of `vitest run`. */
  readonly run: readonly string[];
}
