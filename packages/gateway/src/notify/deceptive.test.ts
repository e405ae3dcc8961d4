import { OPERATIONS } from "@countersign/profile";
import corpus from "@countersign/profile/deceptive-texts" with { type: "json" };
import { describe, expect, it } from "vitest";
import { NOTICE_TEXT_CHARS_MAX } from "../limits.ts";
import type { Message } from "./channels/channel.ts";
import { mail } from "./channels/email.ts";
import { webhookBody } from "./channels/webhook.ts";
import type { Facts } from "./facts.ts";
import { NOTICES, type NoticeKind } from "./kinds.ts";
import { termLines } from "./plain.ts";
import { wordsFor, wordsForMany } from "./words.ts";

// The published corpus, in every field that a message can carry, over mail and webhook.

const frame = { issuer: "https://gate.example" };
const commits = OPERATIONS.flatMap((o) => (o.effect === "commit" ? [o] : []));

/** Each operation's terms with the text in every member that is a text, in the rows of its lists too. */
function termsWith(text: string, isHost: boolean): readonly string[] {
  return commits.flatMap(({ meaning, example }) => {
    const filled = Object.entries(example.terms ?? {}).map(([name, value]) => {
      const field = meaning.fields.find((f) => f.member === name);
      const takes = isHost ? field?.show === "host" : field?.show === "text" || field?.show === "reference";
      if (typeof value === "string" && takes) return [name, text];
      if (!Array.isArray(value) || isHost) return [name, value];
      const rows = value.map((row: object) =>
        Object.fromEntries(Object.entries(row).map(([key, v]) => [key, typeof v === "string" ? text : v])),
      );
      return [name, rows];
    });
    return termLines(meaning, Object.fromEntries(filled));
  });
}

function messagesWith(text: string, isHost = false): readonly Message[] {
  const other = isHost ? "x" : text;
  const facts = (kind: NoticeKind): Facts => ({
    kind,
    path: "/approvals/act_1",
    title: "Place an order",
    amount: "49.90 EUR",
    agent: other,
    account: other,
    place: other,
    terms: termsWith(text, isHost),
  });
  const kinds = Object.keys(NOTICES) as NoticeKind[];
  const made = kinds.map((kind) => ({ kind, ...wordsFor(facts(kind), frame) }));
  const many = { kind: "several" as const, ...wordsForMany(kinds.map(facts), frame) };
  return [...made, many].map((words) => ({
    id: "msg_1",
    personId: "usr_1",
    url: "https://gate.example/approvals/act_1",
    createdAt: 0,
    ...words,
  }));
}

describe("U33 a deceptive text, by mail and by webhook", () => {
  it.each(corpus.texts.map((entry) => [entry.id, entry] as const))("%s", (_id, entry) => {
    const plain = messagesWith("x");
    for (const [at, message] of messagesWith(entry.text, entry.kind === "host").entries()) {
      const sent = mail(message, "a@home.example", "b@home.example", frame.issuer);
      const body = JSON.parse(webhookBody(message)) as { data: { subject: string; text: string } };
      for (const text of [sent.subject, sent.text, body.data.subject, body.data.text])
        for (const never of entry.never) if (never !== "\n") expect(text).not.toContain(never);
      // Whatever it says, it says it on marked lines: the subject and our own lines stay what they are.
      const own = (all: string | undefined) => (all ?? "").split("\n").filter((line) => !line.startsWith(">"));
      expect(sent.subject).toBe(plain[at]?.subject);
      expect(own(message.text)).toEqual(own(plain[at]?.text));
    }
    const approval = messagesWith(entry.text, entry.kind === "host").find((m) => m.kind === "approval")?.text ?? "";
    // A long text is cut, and says so; dots, colons and at-signs stand in brackets, so that nothing becomes a link.
    const read = approval.replaceAll(/\[([.:@])\]/g, "$1");
    if (entry.text.length > NOTICE_TEXT_CHARS_MAX && !read.includes(entry.shown[0] ?? ""))
      expect(read).toContain("characters; all of it is on the page");
    else for (const shown of entry.shown) expect(read).toContain(shown);
  });
});
