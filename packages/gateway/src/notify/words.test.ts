import { OPERATIONS } from "@countersign/profile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mail } from "./channels/email.ts";
import { webhookBody } from "./channels/webhook.ts";
import type { Facts } from "./facts.ts";
import { NOTICES, type NoticeKind } from "./kinds.ts";
import { quoted, termLines } from "./plain.ts";
import { wordsFor, wordsForMany } from "./words.ts";

const frame = { issuer: "https://gate.example" };
const order = OPERATIONS.find((o) => o.id === "retail.order.submit");
const EVIL =
  "Pay\u202Eexe.\r\nBcc: thief@evil.example\r\n\r\nhttps://evil.example/approve \u200B\u{E0100}www.evil.example";
/** Nothing that hides, reorders or breaks a line may be left in text of others. */
const ODD = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function factsWith(kind: NoticeKind, text: string): Facts {
  const terms =
    order?.effect === "commit"
      ? termLines(order.meaning, { ...order.example.terms, payee: text, instrument: text })
      : [];
  return {
    kind,
    path: `/approvals/act_1`,
    title: "Place an order",
    amount: "49.90 EUR",
    agent: text,
    account: text,
    place: text,
    terms,
    expiresAt: 1_800_000_000_000,
  };
}

describe("what a message says", () => {
  it.each(Object.keys(NOTICES) as NoticeKind[])(
    "U33 %s: subject and first lines hold nothing of a site's or an agent's",
    (kind) => {
      const words = wordsFor(factsWith(kind, "SITE-OR-AGENT"), frame);
      expect(words.subject).not.toContain("SITE-OR-AGENT");
      const preview = words.text.slice(0, 140);
      expect(preview).not.toContain("SITE-OR-AGENT");
      expect(words.subject.length).toBeLessThan(100);
    },
  );

  it("a decision's subject names the operation and the amount, and nothing else", () => {
    expect(wordsFor(factsWith("approval", "x"), frame).subject).toBe(
      "Your decision is needed: Place an order, 49.90 EUR",
    );
  });

  it("U33 every line of others is marked, on one line, and can be followed nowhere", () => {
    for (const kind of Object.keys(NOTICES) as NoticeKind[]) {
      const { text } = wordsFor(factsWith(kind, EVIL), frame);
      for (const line of text.split("\n")) {
        expect(line).not.toMatch(ODD);
        if (line.startsWith(">")) expect(line).not.toMatch(/:\/\/|evil\.example|thief@/);
        else expect(line).not.toContain("evil");
      }
      expect(text.match(/https?:\/\//g)?.length ?? 0).toBe(1);
    }
  });

  it("U33 any text at all stays on its own marked lines", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const made = wordsFor(factsWith("approval", text), frame);
        const ours = wordsFor(factsWith("approval", "x"), frame);
        const own = (all: string) => all.split("\n").filter((line) => !line.startsWith(">"));
        expect(own(made.text)).toEqual(own(ours.text));
        expect(made.subject).toBe(ours.subject);
        for (const line of made.text.split("\n")) expect(line).not.toMatch(ODD);
      }),
    );
  });

  it("many are one message, without a word of others", () => {
    const words = wordsForMany(
      [factsWith("approval", EVIL), factsWith("approval", EVIL), factsWith("consent", EVIL)],
      frame,
    );
    expect(words.subject).toBe("3 things wait for you");
    expect(words.text).toContain("2 × Your decision is needed");
    expect(words.text).not.toContain("evil");
  });

  it("a long text says how long it was", () => {
    expect(quoted("a".repeat(5_000))).toContain("5000 characters");
  });

  it("a header never holds a line break, whatever a catalogue or an issuer says", () => {
    const message = { id: "msg_1", kind: "approval", personId: "p", url: "u", createdAt: 0, text: "t" } as const;
    const made = mail(
      { ...message, subject: "a\r\nBcc: x@y.example" },
      "a@b.example",
      "c@d.example",
      "https://g.example",
    );
    expect(made.subject).toBe("a Bcc: x@y.example");
    expect(JSON.parse(webhookBody({ ...message, subject: 'a"\n' }))).toMatchObject({ data: { subject: 'a"\n' } });
  });
});
