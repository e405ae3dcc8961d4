/** Where another site sends the browser back to, after the person has signed in there (gateway, connection/handoff.ts). */
const PATH = "/returned";

/** What came back, and which hand-off it is for. */
export interface Returned {
  readonly ref: string;
  readonly answer: string;
}

let held: Returned | undefined;

/** Pure: reads the query; undefined where it names no hand-off of ours. The gateway judges everything else of it. */
export function readReturned(query: string): Returned | undefined {
  const state = new URLSearchParams(query).get("state") ?? "";
  const ref = /^([A-Za-z0-9_]{1,100})\.[A-Za-z0-9_-]{1,100}$/.exec(state)?.[1];
  return ref === undefined ? undefined : { ref, answer: query };
}

/** Takes what came out of the address bar before anything is drawn; it is of use once, to this browser. */
export function captureReturned(): void {
  if (location.pathname !== PATH || location.search === "") return;
  held = readReturned(location.search);
  history.replaceState(null, "", PATH);
}

/** What came, once: drawing the page twice must not send it twice. */
export function takeReturned(): Returned | undefined {
  const returned = held;
  held = undefined;
  return returned;
}

/** Where a link may lead that the gateway passes on: a page of the web, by https or on this very machine. */
export function isFollowable(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  const isLocal = url.hostname === "localhost" || url.hostname === "127.0.0.1" || url.hostname === "[::1]";
  return url.protocol === "https:" || (url.protocol === "http:" && isLocal);
}
