import type { OAuthSetting } from "@countersign/gateway";
import { isLoopbackHost } from "@countersign/wire";
import { z } from "zod";
import { isSafeIssuer } from "./safe-issuer.ts";

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

const outside = z.strictObject({
  /** As its own metadata says it. */
  issuer: z.url().refine(isSafeIssuer, "https, or http on this machine; without a user, a query or a fragment"),
  /** For whom its tokens may speak: its lasting name of an account (`sub`), and which account holder that is. */
  subjects: z
    .array(
      z.strictObject({
        subject: z.string().min(1).max(TEXT_MAX),
        /** As `countersign` printed it; the first account holder otherwise. */
        person: z.string().min(1).max(100).exactOptional(),
      }),
    )
    .min(1)
    .max(1_000),
});

/** Which clients may ask people at the authorization page. */
export const oauthSchema = z.strictObject({
  clients: z.array(client).max(200).exactOptional(),
  /** Clients with a metadata document: over https, over plain http from this machine too, or none. */
  documents: z.enum(["https", "loopback_too", "off"]).exactOptional(),
  /** Another authorization server in place of the gateway's own: no client asks people here then. */
  outside: outside.exactOptional(),
});

type OAuthSettings = z.infer<typeof oauthSchema>;

/** The setting as the gateway takes it. */
export function readOAuth({ outside, ...rest }: OAuthSettings): OAuthSetting {
  if (outside === undefined) return rest;
  const subjects = outside.subjects.map(({ subject, person }) => ({
    subject,
    ...(person === undefined ? {} : { personId: person }),
  }));
  return { ...rest, outside: { issuer: outside.issuer, subjects } };
}

function mayReturn(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.includes("#") || url.username !== "" || url.password !== "") return false;
  if (url.protocol === "http:") return isLoopbackHost(url.hostname);
  if (url.protocol === "https:") return !isLoopbackHost(url.hostname);
  // RFC 8252 section 7.1: a scheme of one's own is a domain name backwards, which keeps `javascript:` out as well.
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol);
}
