/**
 * What a person is told of. `waiting`: something cannot go on without them; it is told only while that is true.
 * `security`: somebody did something with their access; it is told whatever came of it. The two are counted apart, so
 * that an agent which asks for much cannot keep a warning from its holder.
 */
export const NOTICES = {
  approval: "waiting",
  consent: "waiting",
  sign_in: "waiting",
  verification: "waiting",
  review: "waiting",
  agent: "waiting",
  passkey_added: "security",
  recovery_used: "security",
  signed_in: "security",
  authority_enrolled: "security",
  tried_elsewhere: "security",
  sign_in_tries_low: "security",
  contact_changed: "security",
  contact_code: "security",
} as const;

export type NoticeKind = keyof typeof NOTICES;
export type Urgency = (typeof NOTICES)[NoticeKind];

export const CHANNELS = ["email", "webhook", "outbox"] as const;
export type ChannelName = (typeof CHANNELS)[number];

export function isNoticeKind(text: string): text is NoticeKind {
  return Object.hasOwn(NOTICES, text);
}
