import { type Component, fieldOf, signMessage } from "@countersign/web-bot-auth/signatures";
import fc from "fast-check";
import { component, createSignatureSync, isSignatureError } from "http-message-sig";
import {
  DisplayString,
  isInnerList as isTheirList,
  serializeInnerList,
  serializeItem,
  type Item as TheirItem,
  type InnerList as TheirList,
  Token,
  parseDictionary as theirDictionary,
} from "structured-headers";
import { describe, expect, it } from "vitest";
import { type BareItem, type Item, isInnerList, memberText, OtherItem } from "../src/signatures/structured.ts";
import { parseDictionary } from "../src/signatures/structured-reader.ts";

// What we read and write ourselves, beside two packages of others that do the same. The texts are built of pieces that
// mean something, so that most come near to being right.

const RUNS = 3_000;

const PIECES = [
  ...'abz*=;,:()"\\?@%.-_/ +\t',
  "sig1",
  "sig1=",
  '("@method" "@path")',
  ";created=1",
  ";created=1.0",
  ";a",
  ";a=?0",
  ", ",
  '"x y"',
  '"\\""',
  "tok/en",
  ":AAAA:",
  ":AAA=:",
  ":AA:",
  ":A:",
  "?1",
  "-0",
  "1.50",
  "-1.0",
  "000.5",
  "123456789012345",
  "1234567890123456",
  "1234567890123.1",
  "@17",
  '%"a%c3%a9"',
  '%"%ff"',
];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));
const entry = fc
  .tuple(fc.constantFrom("a", "b", "c*"), fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }))
  .map(([key, pieces]) => `${key}=${pieces.join("")}`);
const right = fc
  .tuple(
    fc.constantFrom("a", "b", "c*"),
    fc.constantFrom("", '=("@method" "x";key="a")', '="x"', "=tok", "=:AAAA:", "=?0", "=-12", "=1.5", '=("a"  b 1)'),
    fc.constantFrom("", ";a", ';a="b"', ";a=1;  b=tok", ";created=17;expires=18"),
  )
  .map((parts) => parts.join(""));
const list = fc
  .tuple(fc.array(right, { minLength: 1, maxLength: 3 }), fc.constantFrom(",", ", ", " ,\t"))
  .map(([all, by]) => all.join(by));
const almost = fc.oneof(
  text,
  list,
  fc.array(entry, { minLength: 1, maxLength: 3 }).map((all) => all.join(", ")),
);

/** Dates are only read at the very end of a text there, and bytes with letters that nobody can decode are let through. */
function isTheirsToJudge(given: string): boolean {
  return (
    !/@-?[0-9]+./.test(given) && !/:[A-Za-z0-9+/=]*=[A-Za-z0-9+/=]*:/.test(given.replace(/[A-Za-z0-9+/]={1,2}:/g, ":"))
  );
}

/** The same value in the terms of the other package. */
function plain(value: unknown): unknown {
  if (value instanceof Token) return { token: value.toString() };
  if (value instanceof Date) return { date: Math.floor(value.getTime() / 1000) };
  if (value instanceof DisplayString) return { display: true };
  if (value instanceof ArrayBuffer) return { bytes: Buffer.from(value).toString("hex") };
  return typeof value === "number" ? value + 0 : value;
}

function ours(value: BareItem): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("hex") };
  if (!(value instanceof OtherItem)) return value;
  if (value.kind === "token") return { token: value.text };
  if (value.kind === "date") return { date: Number(value.text.slice(1)) };
  return value.kind === "decimal" ? Number(value.text) : { display: true };
}

const theirItem = ([value, parameters]: TheirItem) => [plain(value), [...parameters].map(([k, v]) => [k, plain(v)])];
const theirMember = (member: TheirItem | TheirList) =>
  isTheirList(member) ? [member[0].map(theirItem), [...member[1]].map(([k, v]) => [k, plain(v)])] : theirItem(member);
const ourItem = ({ value, parameters }: Item) => [ours(value), [...parameters].map(([k, v]) => [k, ours(v)])];

describe("PLG-7 structured fields, beside the package structured-headers", () => {
  it("reads the same, refuses the same, and writes the same; of two equal keys it lets none stand", () => {
    let read = 0;
    const property = fc.property(almost.filter(isTheirsToJudge), (given) => {
      const own = parseDictionary(given);
      if (own === "duplicate") return;
      let theirs: ReturnType<typeof theirDictionary> | undefined;
      try {
        theirs = theirDictionary(given);
      } catch {}
      if (typeof own === "string" || theirs === undefined) {
        expect([given, own]).toEqual([given, theirs === undefined ? "malformed" : "read"]);
        return;
      }
      read += own.size > 0 ? 1 : 0;
      const all = [...own].map(([key, member]) => [
        key,
        isInnerList(member)
          ? [member.items.map(ourItem), [...member.parameters].map(([k, v]) => [k, ours(v)])]
          : ourItem(member),
      ]);
      expect([given, all]).toEqual([given, [...theirs].map(([key, member]) => [key, theirMember(member)])]);
      for (const [key, member] of theirs) {
        const here = own.get(key);
        const written = isTheirList(member) ? serializeInnerList(member) : serializeItem(member);
        // They write 1.0 as 1, and a display string by its own rules.
        if (/[.%]/.test(given)) continue;
        expect([given, here === undefined ? "" : memberText(here)]).toEqual([given, written]);
      }
    });
    fc.assert(property, { numRuns: RUNS });
    // A run in which nothing could be read compares nothing.
    expect(read).toBeGreaterThan(RUNS / 20);
  });

  it.each([
    ["a=1, a=2", "duplicate"],
    ["a;b;b=1", "duplicate"],
    ["a=(1;c;c)", "duplicate"],
    ["a=1,", "malformed"],
    ["a=1,,b", "malformed"],
    ["A=1", "malformed"],
    ["a=(1", "malformed"],
    ['a="', "malformed"],
    ['a="\\', "malformed"],
    ["a=:", "malformed"],
    ["a=1.", "malformed"],
    ["a=1.1234", "malformed"],
    ["a=@1.5", "malformed"],
    ['a=%"%C3%A9"', "malformed"],
    ["a=\u00e9", "malformed"],
    ['a="\u00e9"', "malformed"],
    ['a="\t"', "malformed"],
    ["a=1\u0000", "malformed"],
  ])("%j is %s", (given, problem) => {
    expect(parseDictionary(given)).toBe(problem);
  });

  it("a decimal stays one, wherever a date stands it is one", () => {
    const read = parseDictionary("a=1.0, b=@5;c=@-6, d=-0, e=1.50");
    expect(typeof read === "string" ? read : [...read.values()].map(memberText)).toEqual([
      "1.0",
      "@5;c=@-6",
      "0",
      "1.5",
    ]);
  });
});

const NAMES = ["@method", "@target-uri", "@authority", "@scheme", "@path", "@query", "x-a", "x-dict", "content-digest"];
const covered: fc.Arbitrary<Component> = fc.oneof(
  fc.record({ name: fc.constantFrom(...NAMES) }),
  fc.record({ name: fc.constantFrom("x-dict", "x-a"), key: fc.constantFrom("a", "b", "none") }),
);
const url = fc.constantFrom(
  "https://shop.example",
  "https://shop.example/",
  "https://SHOP.example:443/a%2fb?",
  "https://shop.example:80/a?x=1&y=%20",
  "http://shop.example:80/?q=/b",
  "https://shop.example?q=1",
  "https://shop.example//a//?b?c",
  "https://xn--caf-dma.example/%C3%A9",
);
const value = fc.constantFrom(
  "a",
  "",
  "  a  ",
  "a=1, b=2;x",
  'a="x\\"y", b=(1 2);z=?0',
  "a",
  "a, b=tok",
  "x\r\n y",
  "b=:AAAA:",
  "caf\u00e9",
  "a=(",
);

describe("PLG-7 signature bases, beside the package http-message-sig", () => {
  it("are the same bytes for the same message, and cannot be built for the same reasons", async () => {
    let built = 0;
    const property = fc.asyncProperty(
      fc.constantFrom("GET", "POST", "get", "", "A B"),
      url,
      fc.array(fc.tuple(fc.constantFrom("x-a", "X-Dict", "content-digest"), value), { maxLength: 4 }),
      fc.array(covered, { maxLength: 6 }),
      fc.record({ created: fc.nat(), nonce: fc.constantFrom("n", 'q"\\', "", "\u00e9"), tag: fc.constant("t") }),
      async (method, target, headers, components, parameters) => {
        // Of two equal keys in a covered dictionary the other package takes the last.
        const keyed = components.filter(({ key }) => key !== undefined);
        if (keyed.some(({ name }) => parseDictionary(fieldOf(headers, name) ?? "") === "duplicate")) return;
        const mine = await baseOf({ method, url: target, headers }, components, parameters);
        const theirs = theirBase({ method, url: target, headers }, components, parameters);
        if (mine !== "refused") built += 1;
        expect(mine).toBe(theirs);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    expect(built).toBeGreaterThan(RUNS / 20);
  });
});

interface Message {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

async function baseOf(message: Message, components: readonly Component[], parameters: Record<string, string | number>) {
  let base = "";
  const signer = {
    algorithm: "test",
    sign(bytes: Uint8Array) {
      base = new TextDecoder().decode(bytes);
      return new Uint8Array(4);
    },
  };
  const signed = await signMessage(message, { label: "l", components, parameters, signer });
  return signed.ok ? `${base}\n${signed.value.signatureInput}\n${signed.value.signature}` : "refused";
}

function theirBase({ method, url: targetUri, headers }: Message, components: readonly Component[], parameters: object) {
  let base = "";
  const names = new Set(components.map(({ name }) => name));
  try {
    const signed = createSignatureSync(
      {
        kind: "request",
        method,
        targetUri,
        // A header that nobody covers is not looked at by us.
        fields: headers.map(([name, given]) => ({ name, value: given })).filter((f) => names.has(f.name.toLowerCase())),
      },
      {
        label: "l",
        components: components.map(({ name, key }) => component(name, key === undefined ? {} : { key })),
        parameters: { ...parameters },
        signer: {
          algorithm: "test",
          sign(bytes) {
            base = new TextDecoder().decode(bytes);
            return new Uint8Array(4);
          },
        },
      },
    );
    return `${base}\n${signed.signatureInput}\n${signed.signature}`;
  } catch (error) {
    if (!isSignatureError(error)) throw error;
    return "refused";
  }
}
