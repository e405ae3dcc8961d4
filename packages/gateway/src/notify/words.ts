import type { Facts } from "./facts.ts";
import type { NoticeKind } from "./kinds.ts";
import { quoted } from "./plain.ts";

// Every word of every message. A subject and the first lines, which phones show to whoever stands by, hold nothing that
// a site or an agent wrote: what they wrote stands below, each line marked with ">", by the one renderer.

export interface Words {
  readonly subject: string;
  readonly text: string;
}

export interface Frame {
  readonly issuer: string;
}

const MARK = "What follows was written by the site or the agent. Trust only what the page itself shows you:";
const NOT_YOU = "If that was not you, sign in, sign out everywhere, and look at your passkeys:";

interface Parts {
  readonly subject: string;
  readonly lead: string;
  /** What stands above the link. */
  readonly act: string;
}

const WORDS: Readonly<Record<NoticeKind, (facts: Facts) => Parts>> = {
  approval: ({ title, amount }) => {
    const what = amount === undefined ? (title ?? "") : `${title ?? ""}, ${amount}`;
    return {
      subject: `Your decision is needed: ${what}`,
      lead: `An agent asks for your decision: ${what}.`,
      act: "See everything and decide:",
    };
  },
  consent: () => ({
    subject: "An agent asks for a grant",
    lead: "An agent asks to act for you. It can do nothing until you say what it may do.",
    act: "See what it asks for and decide:",
  }),
  sign_in: () => ({
    subject: "A sign-in is needed",
    lead: "A task cannot go on until you sign in at a site.",
    act: "Sign in:",
  }),
  verification: () => ({
    subject: "A site asks you to confirm",
    lead: "A site has received what you approved, and asks you to confirm it. It waits only a few minutes.",
    act: "Confirm it:",
  }),
  review: ({ title }) => ({
    subject: "Please look at something",
    lead: `It is not clear what became of this: ${title ?? ""}. Only you can find out.`,
    act: "See what is known:",
  }),
  agent: () => ({
    subject: "A new agent asks to be let in",
    lead: "A new agent asks to be let in. If you did not set one up, refuse it.",
    act: "Let it in or refuse it:",
  }),
  passkey_added: () => ({
    subject: "A passkey was added",
    lead: "A passkey was added to your sign-in. Unless an older one confirms it, it can decide nothing critical for a day.",
    act: NOT_YOU,
  }),
  recovery_used: () => ({
    subject: "A recovery link was used",
    lead: "Somebody signed in as you with a one-time recovery link.",
    act: NOT_YOU,
  }),
  signed_in: () => ({
    subject: "A new sign-in",
    lead: "You signed in with a browser while you were signed in elsewhere.",
    act: NOT_YOU,
  }),
  authority_enrolled: () => ({
    subject: "An authority may soon decide for you",
    lead: "An outside authority was enrolled to decide for you. It counts after one day; until then you can remove it.",
    act: NOT_YOU,
  }),
  tried_elsewhere: () => ({
    subject: "Your sign-in link was tried elsewhere",
    lead: "A sign-in that you had begun was also tried in another browser. Nothing was given to it.",
    act: "If that was not you, somebody has your link. Look here:",
  }),
  sign_in_tries_low: () => ({
    subject: "Few sign-in tries are left at a site",
    lead: "Signing in at a site has failed several times. Another failure may lock your account there.",
    act: "Look at your accounts before anybody tries again:",
  }),
  contact_changed: () => ({
    subject: "Your address for messages was changed",
    lead: "Messages for you no longer come to this address.",
    act: "If that was not you, sign in and change it back:",
  }),
  contact_code: ({ code }) => ({
    subject: "Confirm your address",
    lead: `Your code: ${code ?? ""}. Type it on the page where you gave this address. If you gave it nowhere, do nothing.`,
    act: "The page:",
  }),
};

/** One message about one thing. */
export function wordsFor(facts: Facts, frame: Frame): Words {
  const parts = WORDS[facts.kind](facts);
  const told = facts.kind === "contact_code" ? [] : writtenByOthers(facts);
  return {
    subject: parts.subject,
    text: letter([
      parts.lead,
      "",
      parts.act,
      linkTo(frame, facts.path),
      "",
      ...(facts.expiresAt === undefined ? [] : [`This waits until ${utc(facts.expiresAt)}.`]),
      ...NO_AUTHORITY,
      ...(told.length === 0 ? [] : ["", MARK, ...told]),
    ]),
  };
}

/** One message for many, when there would be too many messages. */
export function wordsForMany(all: readonly Facts[], frame: Frame): Words {
  const counts = new Map<string, number>();
  for (const facts of all) {
    const { subject } = WORDS[facts.kind]({ ...facts, title: "", amount: "" });
    const key = facts.kind === "approval" ? "Your decision is needed" : subject;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    subject: `${all.length} things wait for you`,
    text: letter([
      `${all.length} things wait for you. Because there are so many, this is one message instead of ${all.length}.`,
      "If you did not expect them, an agent may be asking too much: you can revoke it under Agents.",
      "",
      "See them all:",
      linkTo(frame, "/"),
      "",
      ...[...counts].map(([what, count]) => `${count} × ${what}`),
      "",
      ...NO_AUTHORITY,
    ]),
  };
}

const NO_AUTHORITY = [
  "The link carries no rights: you are asked to sign in, and nothing is decided by opening it.",
  "Countersign never asks for a password or a code by message.",
] as const;

function writtenByOthers({ agent, account, place, terms }: Facts): readonly string[] {
  return [
    ...(terms ?? []).map((line) => `> ${line}`),
    ...labelled("Site", place),
    ...labelled("Account", account),
    ...labelled("The agent calls itself", agent),
  ];
}

function labelled(label: string, text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : [`> ${label}: ${quoted(text)}`];
}

function linkTo({ issuer }: Frame, path: string): string {
  return `${issuer}${path}`;
}

function letter(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function utc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
