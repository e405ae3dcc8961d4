import { z } from "zod";

const TEXT_MAX = 500;

const client = z.strictObject({
  clientId: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/, "letters, digits, dot, dash and underscore")
    // These are the gateway's own.
    .refine((id) => !id.startsWith("agent_"), "an id that does not begin with agent_"),
  /** As the person reads it. */
  name: z.string().trim().min(1).max(80),
  redirectUris: z
    .array(
      z.string().max(TEXT_MAX).refine(mayReturn, "https, http on this machine, or an app's own scheme; no fragment"),
    )
    // None: a device, whose code is typed.
    .max(20),
});

/** Which clients may ask people at the authorization page. */
export const oauthSchema = z.strictObject({
  clients: z.array(client).max(200).exactOptional(),
  /** Clients with a metadata document: over https, over plain http from this machine too, or none. */
  documents: z.enum(["https", "loopback_too", "off"]).exactOptional(),
});

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function mayReturn(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.includes("#") || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "http:") return LOOPBACK.has(url.hostname);
  if (url.protocol === "https:") return !LOOPBACK.has(url.hostname);
  // RFC 8252 section 7.1: a scheme of one's own is a domain name backwards, which keeps `javascript:` out as well.
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol);
}
