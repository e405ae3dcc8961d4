/** Where a request goes, as RFC 9421 section 2.2 takes it apart. */
export interface Target {
  /** Without its fragment, which nobody sends. */
  readonly uri: string;
  readonly url: Readonly<URL>;
  /** As it is on the wire, percent-encoding untouched; `/` where there is none. */
  readonly path: string;
  /** With its question mark, which stands alone where there is no query. */
  readonly query: string;
}

/** A URI has no blanks, and nothing that a parser would drop from it without a word. */
const URI = /^[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]+$/i;

// Whoever judges a request reads its target before the base does; the same text is not taken apart twice.
let last: { readonly url: string; readonly target: Target } | undefined;

export function readTarget(url: string): Target | undefined {
  if (last?.url === url) return last.target;
  const hash = url.indexOf("#");
  const uri = hash < 0 ? url : url.slice(0, hash);
  const parsed = URI.test(uri) ? urlOf(uri) : undefined;
  if (parsed === undefined) return undefined;
  const authority = uri.indexOf("://") + 3;
  const slash = uri.indexOf("/", authority);
  const question = uri.indexOf("?", authority);
  const pathEnd = question < 0 ? uri.length : question;
  const target: Target = {
    uri,
    url: parsed,
    path: slash < 0 || slash > pathEnd ? "/" : uri.slice(slash, pathEnd),
    query: question < 0 ? "?" : uri.slice(question),
  };
  last = { url, target };
  return target;
}

/** Undefined for what is none; `URL.parse` takes it apart once where the platform has it (Node 22, browsers of 2024). */
function urlOf(text: string): URL | undefined {
  if (typeof URL.parse === "function") return URL.parse(text) ?? undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}
