import { err, ok, type Secret } from "@countersign/wire";
import type { Transporter } from "nodemailer";
import { NOTICE_SEND_MS } from "../../limits.ts";
import type { Channel, Message, SendProblem } from "./channel.ts";

export interface EmailSetting {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte. `starttls`: demanded before anything is said. `none`: this machine only. */
  readonly tls: "implicit" | "starttls" | "none";
  readonly from: string;
  readonly user?: string;
  readonly password?: Secret<string>;
}

/**
 * Mail by SMTP (RFC 5321). Plain text, one receiver, no attachment; the library may open no file and no address for a
 * message. Header values are ours alone, and none can hold a line break.
 */
export function createEmail(setting: EmailSetting, issuer: string): Channel {
  const { user, password } = setting;
  const options = {
    host: setting.host,
    port: setting.port,
    secure: setting.tls === "implicit",
    requireTLS: setting.tls === "starttls",
    ignoreTLS: setting.tls === "none",
    tls: { minVersion: "TLSv1.2" as const },
    ...(user === undefined || password === undefined ? {} : { auth: { user, pass: password.reveal() } }),
    connectionTimeout: NOTICE_SEND_MS,
    greetingTimeout: NOTICE_SEND_MS,
    socketTimeout: NOTICE_SEND_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  let opened: Promise<Transporter> | undefined;
  // Loaded with the first message: a gateway that has nothing to tell starts without it.
  const open = () => {
    opened ??= import("nodemailer").then(({ createTransport }) => createTransport(options));
    return opened;
  };
  return {
    name: "email",
    async send(message, to) {
      if (to === undefined) return err({ retry: "never", code: "no_address" });
      try {
        const transport = await open();
        await transport.sendMail(mail(message, setting.from, to, issuer));
        return ok(undefined);
      } catch (error) {
        return err(problemOf(error));
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  };
}

/** A message as mail. `to` undefined: for a file that nobody delivers. */
export function mail(message: Message, from: string, to: string | undefined, issuer: string) {
  return {
    from: { name: "Countersign", address: from },
    ...(to === undefined ? {} : { to: { name: "", address: to }, envelope: { from, to: [to] } }),
    subject: oneLine(message.subject),
    text: message.text,
    messageId: `<${message.id}@${new URL(issuer).hostname}>`,
    date: new Date(message.createdAt),
    // Nobody's absence note answers a machine (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    textEncoding: "quoted-printable" as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A second wall: what becomes a header has no line break, whoever made it. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ").slice(0, 200);
}

/** By code alone: what a mail server says may name the address or hold what we sent (U52). */
function problemOf(error: unknown): SendProblem {
  const code = member(error, "code");
  const answer = member(error, "responseCode");
  const refused = typeof answer === "number" && answer >= 500 && answer < 600;
  const shown = `${typeof code === "string" ? code : "unknown"}${typeof answer === "number" ? ` ${answer}` : ""}`;
  // A wrong password or certificate is the operator's to mend, and then it works: only the mailbox is final.
  return { retry: refused && code === "EENVELOPE" ? "never" : "later", code: shown };
}

function member(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null
    ? (Object.getOwnPropertyDescriptor(error, name)?.value as unknown)
    : undefined;
}
