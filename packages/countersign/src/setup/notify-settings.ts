import { readFileSync } from "node:fs";
import type { EmailSetting, NotifySetting, WebhookSetting } from "@countersign/gateway";
import { err, isLoopbackHost, ok, type Result, secret } from "@countersign/wire";
import { z } from "zod";

export const SMTP_PASSWORD_ENV = "COUNTERSIGN_SMTP_PASSWORD";
export const WEBHOOK_SECRET_ENV = "COUNTERSIGN_WEBHOOK_SECRET";

const file = z.string().min(1).max(4_096);
const mailAddress = z
  .string()
  .max(254)
  .regex(/^[^\s@<>"(),:;[\]\\]+@[A-Za-z0-9.-]+$/, "one plain address");

const email = z
  .strictObject({
    host: z.string().min(1).max(253),
    port: z.int().min(1).max(65_535).exactOptional(),
    /** Without it: TLS from the first byte. */
    tls: z.enum(["implicit", "starttls", "none"]).default("implicit"),
    from: mailAddress,
    user: z.string().min(1).max(320).exactOptional(),
    /** A file that holds the password; otherwise it is in the environment. */
    passwordFile: file.exactOptional(),
  })
  .refine(
    (e) => e.tls !== "none" || e.host === "::1" || isLoopbackHost(e.host),
    "mail without TLS goes to this machine only",
  );

const webhook = z.strictObject({
  url: z.url().refine((text) => isSafeUrl(text), "https, or http on this machine; without a user or a password in it"),
  secretFile: file.exactOptional(),
});

/** How people are told; the passwords stand apart, in files or in the environment. */
export const notifySchema = z.strictObject({
  email: email.exactOptional(),
  webhook: webhook.exactOptional(),
  /** Writes each message to `outbox/` in the data directory. */
  outbox: z.literal(true).exactOptional(),
});
export type NotifySettings = z.infer<typeof notifySchema>;

const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;

/** Joins the settings with their secrets. The reason is a sentence that says which is missing; it holds none. */
export function readNotify(
  settings: NotifySettings,
  env: Readonly<Record<string, string | undefined>>,
): Result<NotifySetting, string> {
  const mail = settings.email === undefined ? ok(undefined) : readEmail(settings.email, env);
  if (!mail.ok) return mail;
  const hook = settings.webhook === undefined ? ok(undefined) : readWebhook(settings.webhook, env);
  if (!hook.ok) return hook;
  return ok({
    ...(mail.value === undefined ? {} : { email: mail.value }),
    ...(hook.value === undefined ? {} : { webhook: hook.value }),
    ...(settings.outbox === undefined ? {} : { outbox: true }),
  });
}

function readEmail(
  { host, port, tls, from, user, passwordFile }: NonNullable<NotifySettings["email"]>,
  env: Readonly<Record<string, string | undefined>>,
): Result<EmailSetting, string> {
  const where = { host, port: port ?? (tls === "implicit" ? 465 : tls === "starttls" ? 587 : 25), tls, from };
  if (user === undefined) return ok(where);
  const password = secretText(passwordFile, env[SMTP_PASSWORD_ENV]);
  if (password === undefined)
    return err(
      `notify.email.user needs its password: in ${SMTP_PASSWORD_ENV}, or in the file notify.email.passwordFile`,
    );
  return ok({ ...where, user, password: secret(password) });
}

function readWebhook(
  { url, secretFile }: NonNullable<NotifySettings["webhook"]>,
  env: Readonly<Record<string, string | undefined>>,
): Result<WebhookSetting, string> {
  const text = secretText(secretFile, env[WEBHOOK_SECRET_ENV]);
  const key = Buffer.from((text ?? "").replace(/^whsec_/, ""), "base64");
  if (text === undefined || key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX)
    return err(
      `notify.webhook needs its key, ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX} bytes as whsec_BASE64: in ${WEBHOOK_SECRET_ENV}, or in the file notify.webhook.secretFile`,
    );
  return ok({ url, key: secret(new Uint8Array(key)) });
}

function secretText(path: string | undefined, fromEnv: string | undefined): string | undefined {
  if (path === undefined) return fromEnv === "" ? undefined : fromEnv;
  try {
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? undefined : text;
  } catch {
    return undefined;
  }
}

function isSafeUrl(text: string): boolean {
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}
