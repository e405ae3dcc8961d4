import { isLoopbackHost } from "@countersign/wire";
/** Whether the operator may name this server as one that is believed about people: only TLS or this machine will do. */
export function isSafeIssuer(text: string): boolean {
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}
