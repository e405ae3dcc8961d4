import { randomUUID } from "node:crypto";
import type { Core } from "../core.ts";
import type { Egress } from "../egress/egress.ts";
import { createGuard, type Guard } from "../egress/guard.ts";
import type { Channel } from "./channels/channel.ts";
import { createEmail, type EmailSetting } from "./channels/email.ts";
import { createOutbox } from "./channels/outbox.ts";
import { createWebhook, type WebhookSetting } from "./channels/webhook.ts";
import type { ChannelName } from "./kinds.ts";
import type { Sender } from "./outbox-loop.ts";
import { createSender } from "./sender.ts";

/** By which ways people are told. Every gateway of one store has the same; without any, nobody is told anything. */
export interface NotifySetting {
  readonly email?: EmailSetting;
  readonly webhook?: WebhookSetting;
  /** Files in the data directory, for a gateway that sends no mail. */
  readonly outbox?: true;
}

export function channelNames(setting: NotifySetting | undefined): readonly ChannelName[] {
  return (["email", "webhook", "outbox"] as const).filter((name) => setting?.[name] !== undefined);
}

/** Undefined where there is no channel, and so nothing to send. */
export function startNotifying(
  core: Core,
  setting: NotifySetting | undefined,
  parts: { readonly dataDir: string; readonly makeEgress: (guard: Guard) => Egress },
): Sender | undefined {
  if (setting === undefined || core.channels.length === 0) return undefined;
  const { email, webhook, outbox } = setting;
  const channels: Channel[] = [];
  if (email !== undefined) channels.push(createEmail(email, core.issuer));
  if (webhook !== undefined) {
    // A guard of its own: the receiver's address is no place for an adapter to go.
    const guard = createGuard({ namedOrigins: new Set([new URL(webhook.url).origin]) });
    channels.push(createWebhook(webhook, parts.makeEgress(guard), core.now));
  }
  if (outbox !== undefined) channels.push(createOutbox(parts.dataDir, core.issuer));
  const sender = createSender({ core, channels, owner: randomUUID() });
  sender.poke();
  return sender;
}
