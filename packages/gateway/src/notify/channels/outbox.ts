import { mkdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, err, ok } from "@countersign/wire";
import type { Channel } from "./channel.ts";
import { mail } from "./email.ts";

/** The folder in the data directory. */
export const OUTBOX_FOLDER = "outbox";

/** Writes each message as a file that any mail program opens (`.eml`), for a gateway that sends no mail. */
export function createOutbox(dataDir: string, issuer: string): Channel {
  const folder = join(dataDir, OUTBOX_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    name: "outbox",
    async send(message, to) {
      try {
        const { createTransport } = await import("nodemailer");
        const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
        const made = await composer.sendMail({
          ...mail(message, "countersign@localhost", to, issuer),
          ...(to === undefined ? { to: "account-holder@localhost" } : {}),
        });
        assert(Buffer.isBuffer(made.message), "the composer was asked for bytes");
        const at = new Date(message.createdAt).toISOString().replaceAll(/[-:]|\.\d+/g, "");
        const path = join(folder, `${at}-${message.kind}-${message.id}.eml`);
        await writeFile(`${path}.part`, made.message, { mode: 0o600 });
        await rename(`${path}.part`, path);
        return ok(undefined);
      } catch {
        return err({ retry: "later", code: "not_written" });
      }
    },
    close: () => {},
  };
}
