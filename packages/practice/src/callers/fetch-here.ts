const HERE: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * A practice site stands on this machine, and so do those who call it: keys are fetched from here and from nowhere else,
 * whatever a request names. @throws for any other host, without a connection.
 */
export async function fetchHere(request: Request): Promise<Response> {
  const { hostname } = new URL(request.url);
  if (!HERE.has(hostname)) throw new Error("keys are on this machine alone");
  return fetch(request, { redirect: "manual" });
}
