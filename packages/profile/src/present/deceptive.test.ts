import {
  canonicalJson,
  digestOf,
  hostDisplay,
  type JsonObject,
  plainText,
  previewText,
  revealText,
  terminalJson,
  terminalText,
} from "@countersign/wire";
import { describe, expect, it } from "vitest";
import corpus from "../../fixtures/deceptive-texts.json" with { type: "json" };
import { retailOrderSubmit } from "../catalogue/operations/retail.order.submit.ts";
import { subscriptionCancel } from "../catalogue/operations/subscription.cancel.ts";
import { previewLine, textLines } from "./channels.ts";
import { displayText, present } from "./present.ts";

const texts = corpus.texts.filter((t) => t.kind === "text");
const hosts = corpus.texts.filter((t) => t.kind === "host");
const order = retailOrderSubmit.example.terms ?? {};
const cancellation = subscriptionCancel.example.terms ?? {};
const orderWith = (change: JsonObject, personal = "12 Sample Street") => ({
  shown: present(retailOrderSubmit.meaning, { ...order, ...change }, { ship_to: personal }),
  text: displayText(retailOrderSubmit.meaning, { ...order, ...change }, { ship_to: personal }),
});
const item = (title: string): JsonObject => ({ kind: "item", ref: "TL-200", title, quantity: 1, unit_minor: 4990 });

/** Every place of a record's terms that takes a text of others, and what is drawn of it. */
const FIELDS: Readonly<
  Record<string, (text: string) => { readonly shown: ReturnType<typeof present>; readonly text: string }>
> = {
  "an item's title": (text) => orderWith({ lines: [item(text)] }),
  "a way to pay": (text) => orderWith({ instrument: text }),
  "a note": (text) => orderWith({ note: text }),
  "a reference": (text) => orderWith({ fulfillment_ref: text }),
  "a personal text": (text) => orderWith({}, text),
  "a plan": (text) => ({
    shown: present(subscriptionCancel.meaning, { ...cancellation, plan: text }, {}),
    text: displayText(subscriptionCancel.meaning, { ...cancellation, plan: text }, {}),
  }),
  "a consequence": (text) => ({
    shown: present(subscriptionCancel.meaning, { ...cancellation, consequence: text }, {}),
    text: displayText(subscriptionCancel.meaning, { ...cancellation, consequence: text }, {}),
  }),
};

describe("U30 U31 U32 U33 U34 the corpus of deceptive texts", () => {
  it("names each once, and its file is ASCII", async () => {
    expect(new Set(corpus.texts.map((t) => t.id)).size).toBe(corpus.texts.length);
    for (const t of corpus.texts) expect(["U30", "U31", "U32", "U33", "U34"]).toContain(t.lesson);
    const { readFile } = await import("node:fs/promises");
    expect(await readFile(new URL("../../fixtures/deceptive-texts.json", import.meta.url), "utf8")).toMatch(
      /^[\n -~]*$/,
    );
  });

  it.each(texts)("$id: shown for what it is as plain text", ({ text, shown, never }) => {
    const plain = plainText(revealText(text));
    for (const each of shown) expect(plain).toContain(each);
    for (const each of never) expect(plain).not.toContain(each);
  });

  describe.each(Object.keys(FIELDS))("in %s", (name) => {
    it.each(texts)(
      "$id: in the display text, the lines of a mail and the preview; the record and its digest are as before",
      async ({ text, shown, never }) => {
        const drawn = FIELDS[name]?.(text);
        const lines = textLines(drawn?.shown ?? present(retailOrderSubmit.meaning, {}, {}));
        const unbroken = lines.join("\n").replaceAll(/\n {6}\| /g, "");
        for (const each of shown) {
          expect(drawn?.text).toContain(each);
          // A line is broken at a space, which the break stands for.
          expect(unbroken.replaceAll(" ", "")).toContain(each.replaceAll(" ", ""));
        }
        // A newline is ours between terms, never inside a text: the line of the term is looked at.
        const own = (drawn?.text ?? "").split("\n").filter((line) => shown.some((each) => line.includes(each)));
        expect(own.length).toBeGreaterThan(0);
        for (const each of never) {
          for (const line of own) expect(line).not.toContain(each);
          expect(drawn?.text).not.toContain(each === "\n" ? "\n\n" : each);
          expect(previewLine(drawn?.shown ?? present(retailOrderSubmit.meaning, {}, {}), 10_000)).not.toContain(each);
        }
        const record = { title: text };
        expect(canonicalJson(record)).toBe(canonicalJson({ title: `${text}` }));
        expect(await digestOf(record)).toBe(await digestOf(JSON.parse(terminalJson(record)) as JsonObject));
      },
    );
  });

  it.each(texts)("$id: in a preview, harmless and bounded", ({ text, never }) => {
    const line = previewText(text, 80);
    expect(Array.from(line).length).toBeLessThanOrEqual(80);
    for (const each of never) expect(line).not.toContain(each);
    expect(line).not.toMatch(/[a-z]\.[a-z]|:\/\//);
  });

  it.each(texts)("$id: at the last gate before a terminal", ({ text }) => {
    expect(terminalText(text)).not.toMatch(/[^\P{C}\n]|[\u2028\u2029\u00a0\u2800\u3000]/u);
    expect(JSON.parse(terminalJson(text))).toBe(text);
    expect(terminalJson(text)).not.toMatch(/[\p{C}\u2028\u2029\u00a0\u2800\u3000]/u);
  });

  it.each(hosts)("$id: a host in ASCII, with its warning", ({ text, shown, never, warning }) => {
    const host = hostDisplay(text);
    expect(host.ascii).toMatch(/^[!-~]*$/);
    expect(host.warning).toBe(warning);
    const drawn = orderWith({ payee: text });
    for (const each of shown) expect(drawn.text).toContain(each);
    for (const each of never) expect(drawn.text).not.toContain(each);
    expect(drawn.shown.fields.find((f) => f.member === "payee")?.value.warning).toBeDefined();
    expect(previewLine(drawn.shown, 400)).toContain("(look twice)");
  });
});
