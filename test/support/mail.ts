import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert } from "@countersign/wire";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as a server received it. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly secure: boolean;
  /** As it came, by header name in lower case; folded lines joined. */
  readonly headers: ReadonlyMap<string, string>;
  readonly raw: string;
  /** The body, decoded. */
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: Mail[];
  /** What the server does with the next messages; undefined takes them. */
  answer: ((mail: Mail) => Error | undefined) | undefined;
  /** Called when a whole message is there, before it is answered. */
  onMail: ((mail: Mail) => Promise<void>) | undefined;
  close(): Promise<void>;
}

/** A real SMTP server on this machine. */
export async function openMailServer(options: SMTPServerOptions = { authOptional: true }): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 500,
    disableReverseLookup: true,
    ...(options.secure || options.key !== undefined ? {} : { hideSTARTTLS: true }),
    onAuth: (auth, _session, done) => {
      if (auth.username === "gateway" && auth.password === "canary-password") done(null, { user: "gateway" });
      else done(Object.assign(new Error("no"), { responseCode: 535 }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map((r) => r.address),
          user: typeof session.user === "string" ? session.user : undefined,
          secure: session.secure,
          ...parseMail(Buffer.concat(parts).toString("latin1")),
        };
        void take(mail).then((problem) => (problem === undefined ? done() : done(problem)));
      });
    },
    ...options,
  });
  const take = async (mail: Mail): Promise<Error | undefined> => {
    const problem = made.answer?.(mail);
    if (problem !== undefined) return problem;
    mails.push(mail);
    await made.onMail?.(mail);
    return undefined;
  };
  // A client that breaks off is the test's business, not the server's.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const made: MailServer = {
    port: address.port,
    mails,
    answer: undefined,
    onMail: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return made;
}

export function parseMail(raw: string): Pick<Mail, "headers" | "raw" | "text"> {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const headers = new Map<string, string>();
  for (const line of head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n")) {
    const [name = "", ...value] = line.split(":");
    headers.set(name.toLowerCase(), value.join(":").trim());
  }
  const body = rest.join("\r\n\r\n");
  const isQuoted = headers.get("content-transfer-encoding") === "quoted-printable";
  return { headers, raw, text: Buffer.from(isQuoted ? unquoted(body) : body, "latin1").toString("utf8") };
}

/** RFC 2045 section 6.7. */
function unquoted(text: string): string {
  return text
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A key and a certificate for `localhost`, fresh. */
export function certificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "countersign-cert-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"].concat([
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        key,
        "-out",
        cert,
      ]),
      { stdio: "ignore" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
