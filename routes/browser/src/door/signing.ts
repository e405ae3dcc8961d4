// Who is calling is said to the destination and to nobody else: to its own origin, for documents of a page of its own and
// for what pages of its own ask for there. A request from elsewhere would become one that the destination has to allow
// first (CORS), and would tell other sites' pages about the gateway.

/** The request with what proves who is calling; as it was, where nobody does. Never rejects for long. */
export type Sign = (request: Request) => Promise<Request>;

/** One header as the browser takes it. */
export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** A request that stands still, as far as it matters here. */
export interface Standing {
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where the browser does not hand it over whole. */
  readonly body: Uint8Array | undefined;
  /** Whether it is the document of a page and not of a frame in one; asked only for documents. */
  isTopLevel(): Promise<boolean>;
  /** The origin of the page that asks; asked only where the request itself does not say. */
  askedBy(): Promise<string | undefined>;
}

const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

export async function mayBeSigned(request: Standing, origin: string): Promise<boolean> {
  if (new URL(request.url).origin !== origin || request.body === undefined) return false;
  if (request.resourceType === "Document" && (await request.isTopLevel())) return true;
  const named = header(request, "origin") ?? header(request, "referer");
  const from = named === undefined ? await request.askedBy() : originOf(named);
  return from === origin;
}

/**
 * Every header that the request goes on with, those of the signers among them; undefined where nothing was added. The
 * cookies are left out: the browser sets them below, and would else have them twice or too late.
 */
export async function signedHeaders(request: Standing, sign: Sign): Promise<readonly HeaderLine[] | undefined> {
  const own = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== "cookie");
  const body = BODILESS.has(request.method) ? {} : { body: Uint8Array.from(request.body ?? []) };
  const asked = new Request(request.url, { method: request.method, headers: own, ...body });
  const before = new Headers(asked.headers);
  const signed = await sign(asked);
  const added = [...signed.headers].filter(([name, value]) => before.get(name) !== value);
  if (added.length === 0) return undefined;
  const names = new Set(added.map(([name]) => name));
  return [...own.filter(([name]) => !names.has(name.toLowerCase())), ...added].map(([name, value]) => ({
    name,
    value,
  }));
}

function header({ headers }: Standing, wanted: string): string | undefined {
  for (const [name, value] of Object.entries(headers)) if (name.toLowerCase() === wanted) return value;
  return undefined;
}

/** `null` and whatever else names no origin is nobody's. */
function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}
