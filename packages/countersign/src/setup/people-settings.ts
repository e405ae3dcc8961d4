import { readFileSync } from "node:fs";
import type { OpenIdSetting } from "@countersign/gateway";
import { err, ok, type Result, secret } from "@countersign/wire";
import { z } from "zod";
import { isSafeIssuer } from "./safe-issuer.ts";

const TEXT_MAX = 500;

const openid = z.strictObject({
  /** As the provider's own discovery document says it. */
  issuer: z.url().refine(isSafeIssuer, "https, or http on this machine; without a user, a query or a fragment"),
  clientId: z.string().min(1).max(TEXT_MAX),
  /** A file that holds the client's secret; a public client has none. */
  clientSecretFile: z.string().min(1).max(4_096).exactOptional(),
  /** How the sign-in page calls it; the issuer's host otherwise. */
  title: z.string().trim().min(1).max(40).exactOptional(),
  /** Who comes in: the provider's own lasting name of an account (`sub`), and which account holder it is. */
  allowed: z
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

/** How people sign in beyond passkeys and one-time links. */
export const peopleSchema = z.strictObject({ openid: openid.exactOptional() });
export type PeopleSettings = z.infer<typeof peopleSchema>;

/** Joins the setting with its secret. The reason is a sentence that names the file; it holds nothing of it. */
export function readPeople(settings: PeopleSettings): Result<OpenIdSetting | undefined, string> {
  if (settings.openid === undefined) return ok(undefined);
  const { issuer, clientId, clientSecretFile, title, allowed } = settings.openid;
  const named = {
    issuer,
    clientId,
    title: title ?? new URL(issuer).host,
    allowed: allowed.map(({ subject, person }) => ({ subject, ...(person === undefined ? {} : { personId: person }) })),
  };
  if (clientSecretFile === undefined) return ok(named);
  try {
    const text = readFileSync(clientSecretFile, "utf8").trim();
    if (text !== "") return ok({ ...named, clientSecret: secret(text) });
  } catch {
    // Said below: a file that is missing and one that is empty are mended in the same way.
  }
  return err(`people.openid.clientSecretFile: ${clientSecretFile} holds no secret that can be read`);
}
