/** The pin under which this browser first saw a gateway's evidence hold. */
export interface RememberedPin {
  readonly pin: string;
  readonly since: string;
}

const keyOf = (issuer: string) => `countersign:pin:${issuer}`;

/** A browser that keeps nothing remembers nothing: the check is the same without it. */
export function rememberedPin(issuer: string): RememberedPin | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(issuer)) ?? "null");
    if (typeof value !== "object" || value === null || !("pin" in value) || !("since" in value)) return undefined;
    return { pin: String(value.pin), since: String(value.since) };
  } catch {
    return undefined;
  }
}

export function rememberPin(issuer: string, remembered: RememberedPin): void {
  try {
    localStorage.setItem(keyOf(issuer), JSON.stringify(remembered));
  } catch {
    // No room, or not allowed to.
  }
}
