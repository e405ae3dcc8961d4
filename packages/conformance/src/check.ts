import type { Json } from "@countersign/wire";

/** The gateway did not do what the case asks of it. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed";
  /** What was seen instead. */
  readonly seen: Json | undefined;

  constructor(claim: string, seen?: Json) {
    super(claim);
    this.seen = seen;
  }
}

/** The case asks for something that this gateway, or these settings, do not have. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The suite could not do its own part: the shop, the account holder's driver or the network is not as agreed. */
export class SuiteTrouble extends Error {
  override readonly name = "SuiteTrouble";
}

export function check(holds: boolean, claim: string, seen?: Json): asserts holds {
  if (!holds) throw new CheckFailed(claim, seen);
}

export function checkEqual(actual: Json | undefined, expected: Json, claim: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new CheckFailed(claim, { expected, seen: actual ?? null });
}
