/** The value of a cookie in a request's `Cookie` header (RFC 6265); undefined when it is absent or empty. */
export function cookieIn(header: string | undefined, wanted: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const [name, value] = part.trim().split("=");
    if (name === wanted && value) return value;
  }
  return undefined;
}
