import { createHmac } from "node:crypto";
import { err, formatInstant, type Instant, ok, type Secret } from "@countersign/wire";
import type { Egress } from "../../egress/egress.ts";
import type { Channel, Message } from "./channel.ts";

export interface WebhookSetting {
  readonly url: string;
  /** The key itself: what stands, in base64, behind `whsec_`. */
  readonly key: Secret<Uint8Array>;
}

/** `webhook-signature` of the Standard Webhooks specification 1.0, symmetric: `v1,` and the HMAC in base64. */
export function signature(key: Secret<Uint8Array>, id: string, timestampSeconds: number, body: string): string {
  const mac = createHmac("sha256", key.reveal()).update(`${id}.${timestampSeconds}.${body}`, "utf8");
  return `v1,${mac.digest("base64")}`;
}

export function webhookBody(message: Message): string {
  return JSON.stringify({
    type: `notice.${message.kind}`,
    timestamp: formatInstant(message.createdAt as Instant),
    data: {
      person_id: message.personId,
      subject: message.subject,
      text: message.text,
      url: message.url,
      ...(message.expiresAt === undefined ? {} : { expires_at: formatInstant(message.expiresAt as Instant) }),
    },
  });
}

/**
 * The operator's own receiver, by the guarded egress: a fresh connection to a pinned address, no redirect. The id is
 * that of the message and stays through all tries; the time is that of the try.
 */
export function createWebhook(setting: WebhookSetting, egress: Pick<Egress, "fetch">, now: () => number): Channel {
  return {
    name: "webhook",
    async send(message) {
      const body = webhookBody(message);
      const seconds = Math.floor(now() / 1000);
      try {
        const answer = await egress.fetch(
          new Request(setting.url, {
            method: "POST",
            body,
            headers: {
              "content-type": "application/json",
              "user-agent": "Countersign",
              "webhook-id": message.id,
              "webhook-timestamp": String(seconds),
              "webhook-signature": signature(setting.key, message.id, seconds, body),
            },
          }),
        );
        if (answer.status >= 200 && answer.status < 300) return ok(undefined);
        // 410 is how a receiver says that it is gone for good.
        return err({ retry: answer.status === 410 ? "never" : "later", code: `status ${answer.status}` });
      } catch {
        return err({ retry: "later", code: "unreachable" });
      }
    },
    close: () => {},
  };
}
