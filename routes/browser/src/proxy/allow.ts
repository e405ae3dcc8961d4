import { parseOrigin } from "@countersign/wire";

/** `host:port` places that a context may reach; host and port exact. */
export type AllowList = ReadonlySet<string>;

export interface Place {
  /** Lower case; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Origins that cannot be read allow nothing. */
export function allowList(origins: readonly string[]): AllowList {
  const places = new Set<string>();
  for (const text of origins) {
    const origin = parseOrigin(text);
    if (!origin.ok) continue;
    const url = new URL(origin.value);
    places.add(placeKey({ host: bare(url.hostname), port: portOf(url) }));
  }
  return places;
}

export function placeKey({ host, port }: Place): string {
  return `${host}:${port}`;
}

/** The target of a CONNECT request (RFC 9112 section 3.2.3): always `host:port`. */
export function parseAuthority(text: string): Place | undefined {
  const match = /^([^/?#@\\\s]+):([0-9]{1,5})$/.exec(text);
  const [host, port] = [match?.[1], Number(match?.[2])];
  if (host === undefined || port < 1 || port > 65_535 || !URL.canParse(`http://${host}`)) return undefined;
  const url = new URL(`http://${host}`);
  return url.port === "" ? { host: bare(url.hostname), port } : undefined;
}

/** The target of a plain request to a proxy (RFC 9112 section 3.2.2): an absolute http URL. */
export function parseAbsolute(text: string): { place: Place; path: string } | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" || url.username !== "" || url.password !== "") return undefined;
  return { place: { host: bare(url.hostname), port: portOf(url) }, path: `${url.pathname}${url.search}` };
}

function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}
