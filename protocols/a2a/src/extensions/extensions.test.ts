import { readFileSync } from "node:fs";
import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { credentialAt } from "./credentials.ts";
import { extensionProblems } from "./judge.ts";
import { extensionUri } from "./uri.ts";

interface Case {
  readonly name: string;
  readonly why: "twice" | "uri" | "malformed" | "credential";
  readonly uri?: string;
  readonly at?: string;
  readonly card: JsonObject;
}
const fixture = JSON.parse(readFileSync(new URL("../../fixtures/extensions.json", import.meta.url), "utf8")) as {
  readonly found: readonly { readonly name: string; readonly card: JsonObject }[];
  readonly refused: readonly Case[];
};

function published(card: JsonObject) {
  const list = (card["capabilities"] as JsonObject)["extensions"] ?? [];
  return (Array.isArray(list) ? list : []).flatMap((one: Json) =>
    isJsonObject(one)
      ? [
          {
            uri: String(one["uri"]),
            whose: "others" as const,
            ...(one["params"] === undefined ? {} : { params: one["params"] }),
          },
        ]
      : [],
  );
}

describe("PLG-6 the fixture's cards", () => {
  it.each(fixture.found)("$name: fine", ({ card }) => {
    expect(extensionProblems(published(card))).toEqual([]);
  });

  it.each(fixture.refused.filter(({ why }) => why !== "malformed"))("$name: refused", ({ card, why, at }) => {
    const problems = extensionProblems(published(card));
    const word = { twice: "twice", uri: "plainly written", credential: "credential", malformed: "" }[why];
    expect(problems.join("\n")).toContain(word);
    if (at !== undefined) expect(problems.join("\n")).toContain(`at ${at}`);
    expect(problems.join("\n")).not.toMatch(/planted|eyJhbGci/);
  });
});

describe("PLG-6 identifiers", () => {
  it.each([
    "urn:countersign:x",
    "URN:Countersign:x",
    "urn:counter%73ign:x",
    "%75rn:countersign:x",
    "urn:COUNTERSIGN:a2a:face:1",
    "urn:counter%2573ign:x",
  ])("%s is ours, or nothing", (uri) => {
    expect(extensionProblems([{ uri, whose: "others" }])).not.toEqual([]);
    expect(extensionProblems([{ uri: "urn:countersigner:x", whose: "others" }])).toEqual([]);
  });

  it.each([
    ["https://extensions.example/a", "HTTPS://Extensions.EXAMPLE:443/b/../%61/"],
    ["urn:example:a", "URN:Example:%61"],
  ])("%s and %s are one extension, whoever brought them", (one, again) => {
    const others = { uri: one, whose: "others" } as const;
    expect(extensionProblems([others, { ...others, uri: again }]).join()).toContain("stands on the card twice");
  });

  it("reading is settled by one reading", () => {
    const parts = fc.constantFrom(
      "https://",
      "urn:",
      "a",
      "B",
      ":",
      "/",
      "%41",
      "%2f",
      ".",
      "..",
      "é",
      " ",
      "@",
      "x.example",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 10 }), (texts) => {
        const read = extensionUri(texts.join(""));
        if (!read.ok) return;
        expect(extensionUri(read.value)).toEqual(read);
      }),
      { numRuns: 3_000 },
    );
  });
});

it("PLG-6 a credential is found at any depth, in objects and lists, and innocent params pass", () => {
  const innocent = fc.letrec<{ v: Json }>((tie) => ({
    v: fc.oneof(
      { maxDepth: 4 },
      fc.integer(),
      fc.constantFrom("plain", "b", ""),
      fc.array(tie("v"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("mode", "hours", "k", "d"), tie("v"), { maxKeys: 3 }),
    ),
  })).v;
  fc.assert(fc.property(innocent, (params) => credentialAt(params) === undefined));
  const path = fc.array(fc.oneof(fc.constantFrom("mode", "hours"), fc.nat(2)), { maxLength: 6 });
  const name = fc.constantFrom(
    "token",
    "Access_Token",
    "API key",
    "api-key",
    "ｔｏｋｅｎ",
    "clientSecret",
    "set-cookie",
  );
  fc.assert(
    fc.property(path, name, (steps, bad) => {
      const planted = steps.reduceRight<Json>(
        (inner, at) => (typeof at === "number" ? [...Array<Json>(at).fill(0), inner] : { [at]: inner }),
        { [bad]: "planted" },
      );
      expect(credentialAt(planted)).toBe([...steps, bad].map((one) => `/${one}`).join(""));
    }),
  );
});
