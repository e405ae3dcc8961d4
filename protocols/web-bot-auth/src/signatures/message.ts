/** A field line as it came, or is about to go. */
export type FieldLine = readonly [name: string, value: string];

/** A request as its receiver saw it, or as its sender is about to send it. */
export interface HttpRequest {
  readonly method: string;
  /** Absolute, as the client used it; behind a proxy, only from configuration that you trust. */
  readonly url: string;
  /** Every occurrence, in order. */
  readonly headers: Iterable<FieldLine>;
  /** The content's bytes; left out where nobody read them. Empty is the same as none. */
  readonly body?: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Iterable<FieldLine>;
  /** The request that it answers: its components are covered with `;req`. */
  readonly request: HttpRequest;
}

/**
 * A Fetch request as {@link HttpRequest}. `body` is what you read of it, bounded by you: a signature may cover a digest
 * of it. A request without content has none to read.
 */
export function httpRequestOf(request: Request, body?: Uint8Array): HttpRequest {
  const { method, url, headers } = request;
  const read = request.body === null ? new Uint8Array() : body;
  return { method, url, headers: [...headers.entries()], ...(read === undefined ? {} : { body: read }) };
}

/** RFC 9421 section 2.1: occurrences in order, trimmed, folds undone, joined with a comma and a space. */
export function fieldOf(headers: Iterable<FieldLine>, name: string): string | undefined {
  const values: string[] = [];
  for (const [given, value] of headers)
    if (given.length === name.length && given.toLowerCase() === name) values.push(unfolded(value));
  return values.length === 0 ? undefined : values.join(", ");
}

function unfolded(value: string): string {
  return value.replace(/\r\n[\t ]+/g, " ").replace(/^[\t ]+|[\t ]+$/g, "");
}
