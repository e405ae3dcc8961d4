import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { currencyDigits, formatMoney, type Json, type JsonObject, plainText } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { displayText, present } from "../present/present.ts";
import { OPERATIONS } from "./catalogue.ts";
import { DOMAINS } from "./domains.ts";
import type { CommitOperation, FieldMeaning, Operation, ReadOperation } from "./model.ts";
import { inputSchema } from "./published.ts";

// Every operation that ships is held to the same things; one that is added joins by being there.

const all = OPERATIONS.map((o) => [o.id, o] as const);
const commits = OPERATIONS.filter((o): o is CommitOperation => o.effect === "commit");
const reads = OPERATIONS.filter((o): o is ReadOperation => o.effect === "read");
const eachCommit = commits.map((o) => [o.id, o] as const);

interface Member {
  /** From the root of the schema, rows as `*`. */
  readonly path: string;
  readonly name: string;
  readonly schema: JsonObject;
}

function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function membersOf(schema: JsonObject, base = ""): readonly Member[] {
  return Object.entries(objectOf(schema["properties"])).flatMap(([name, value]) => {
    const member = objectOf(value);
    const path = `${base}${name}`;
    return [{ path, name, schema: member }, ...membersOf(objectOf(member["items"]), `${path}/*/`)];
  });
}

function schemasOf(operation: Operation): readonly (readonly [string, JsonObject])[] {
  return [
    ["parameters", inputSchema(operation.parameters)],
    ["result", inputSchema(operation.result)],
    ...(operation.effect === "commit" ? [["terms", inputSchema(operation.terms)] as const] : []),
  ];
}

const allMembers = OPERATIONS.flatMap((operation) =>
  schemasOf(operation).flatMap(([part, schema]) =>
    membersOf(schema).map((member) => ({
      ...member,
      where: `${operation.id} ${part}/${member.path}`,
      operation,
      part,
    })),
  ),
);

describe("MAP-6 REQ-3 what there is", () => {
  it("covers the six domains, and the settings of an account", () => {
    const prefixes = new Set(OPERATIONS.map(({ id }) => id.split(".")[0]));
    expect([...prefixes].sort()).toEqual(Object.keys(DOMAINS).sort());
    expect(OPERATIONS.length).toBeGreaterThanOrEqual(29);
  });

  it("REQ-3 is one file an operation, named by it", () => {
    const folder = fileURLToPath(new URL("./operations/", import.meta.url));
    expect(readdirSync(folder).sort()).toEqual(OPERATIONS.map(({ id }) => `${id}.ts`).sort());
  });

  it.each(all)("%s has a well-formed id and version, and plain words", (_id, { id, version, title, about = "" }) => {
    expect(id).toMatch(/^[a-z]+(\.[a-z]+){1,2}$/);
    expect(version).toMatch(/^[1-9]\d*$/);
    expect(title).toMatch(/^[A-Z][^.]{3,40}$/);
    expect(about).toMatch(/^[A-Z].{40,500}\.$/);
    expect(`${title} ${about}`).not.toMatch(/\b(API|JSON|URL|idempoten|payload|endpoint|DOM)\b/i);
  });
});

describe("REQ-3 the schemas", () => {
  it.each(all)("%s: its example is what its own schemas give back", (_id, operation) => {
    const { parameters, result, terms } = operation.example;
    expect(operation.parameters.parse(parameters)).toEqual(parameters);
    expect(operation.result.parse(result)).toEqual(result);
    if (operation.effect === "commit") expect(operation.terms.parse(terms)).toEqual(terms);
  });

  it.each(all)("%s: an unknown member is refused in parameters and terms, and dropped from a result", (...c) => {
    const [, operation] = c;
    const { parameters, result, terms } = operation.example;
    expect(operation.parameters.safeParse({ ...parameters, invented: 1 }).success).toBe(false);
    expect(operation.result.parse({ ...result, invented: 1 })).toEqual(result);
    if (operation.effect !== "commit") return;
    expect(operation.terms.safeParse({ ...terms, invented: 1 }).success).toBe(false);
    for (const list of operation.meaning.lists) {
      const rows = terms?.[list.member] as readonly JsonObject[];
      const more = { ...terms, [list.member]: rows.map((row) => ({ ...row, invented: 1 })) };
      expect(operation.terms.safeParse(more).success, list.member).toBe(false);
    }
  });

  it.each(allMembers.map((m) => [m.where, m] as const))("%s is bounded", (_where, { schema }) => {
    if (schema["enum"] !== undefined) return;
    switch (schema["type"]) {
      case "string": {
        // Without a length a pattern must have none of its own that is open.
        const pattern = String(schema["pattern"] ?? "*");
        if (schema["maxLength"] === undefined) expect(pattern).toMatch(/^\^[^*+]*\$$|^\^.*\{\d+,\d+\}.*\$$/);
        break;
      }
      case "array":
        expect(schema["maxItems"]).toEqual(expect.any(Number));
        break;
      case "integer":
        expect([schema["minimum"], schema["maximum"]]).toEqual([expect.any(Number), expect.any(Number)]);
        break;
      default:
        expect(schema["type"]).toBe("boolean");
    }
  });

  it.each(allMembers.map((m) => [m.where, m] as const))("%s says its unit last", (_where, { name, schema }) => {
    expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    const COUNTS = /^(limit|quantity|quantity_max|minor_digits)$/;
    if (schema["type"] === "integer") expect(COUNTS.test(name) || /_(minor|points|percent)$/.test(name)).toBe(true);
    const isDay = schema["pattern"] === "^\\d{4}-\\d{2}-\\d{2}$";
    expect(isDay).toBe(/_on$|^(from|to|not_before)$/.test(name));
    if (/_at$/.test(name)) expect(schema["maxLength"]).toBe(40);
  });

  it.each(all)("REQ-1 %s: money in its terms or its result stands beside its currency", (_id, operation) => {
    for (const [part, schema] of schemasOf(operation)) {
      const names = membersOf(schema).map(({ name }) => name);
      if (names.some((name) => name.endsWith("_minor"))) expect(names, part).toContain("currency");
    }
  });
});

describe("effects", () => {
  it.each(reads.map((o) => [o.id, o] as const))("CON-2 %s reads: no terms, and nobody to decide", (_id, operation) => {
    for (const member of ["terms", "meaning", "approval", "ceiling", "limits", "readBack", "contradictions"])
      expect(operation).not.toHaveProperty(member);
    expect(operation.example).not.toHaveProperty("terms");
    if (operation.repeats === undefined) return;
    const [asked, told] = [inputSchema(operation.parameters), inputSchema(operation.result)];
    expect(membersOf(asked).map(({ name }) => name)).toContain(operation.repeats.untilMember);
    expect(objectOf(objectOf(told["properties"])[operation.repeats.metMember])["type"]).toBe("boolean");
    expect(operation.repeats.everyMsMin).toBeGreaterThanOrEqual(60_000);
  });

  it("APR-3 where money leaves, or what opens the account changes, it takes a passkey", () => {
    const passkey = commits.filter(({ approval }) => approval === "passkey").map(({ id }) => id);
    expect(passkey).toEqual([
      "account.contact.change",
      "banking.transfer.submit",
      "retail.order.submit",
      "subscription.plan.change",
      "utilities.autopay.set",
      "utilities.bill.pay",
      "utilities.plan.change",
    ]);
    expect(commits.every(({ approval }) => approval === "passkey" || approval === "session")).toBe(true);
  });

  it.each(eachCommit)(
    "APR-3 %s: a maximum on what leaves means a passkey, but where nothing new is charged",
    (...c) => {
      const [, { id, approval, ceiling }] = c;
      // What the shop keeps was paid before; what a visit costs is billed afterwards.
      const BORNE = ["retail.order.cancel", "healthcare.appointment.book"];
      if (ceiling !== undefined && !BORNE.includes(id)) expect(approval).toBe("passkey");
    },
  );
});

describe("APR-1 what the person sees", () => {
  it.each(eachCommit)("%s: a question, and a button that says what it does", (_id, { meaning }) => {
    expect(meaning.question).toMatch(/^[A-Z].{5,50}\?$/);
    expect(meaning.affirm).toMatch(/^Approve .{3,30}$/);
    const labels = [...meaning.fields, ...meaning.lists, ...meaning.personal].map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    for (const label of labels) expect(label).toMatch(/^[A-Z][^_]{1,40}$/);
  });

  it.each(eachCommit)("U34 %s: every term of the example is drawn, whole, in its place", (_id, operation) => {
    const { meaning, example } = operation;
    const terms = example.terms ?? {};
    const personal = Object.fromEntries(meaning.personal.map(({ name }) => [name, `the person's own ${name}`]));
    const text = displayText(meaning, terms, personal);
    for (const field of meaning.fields) expectDrawn(text, field, terms, terms);
    for (const list of meaning.lists)
      for (const row of terms[list.member] as readonly JsonObject[])
        for (const field of list.fields) expectDrawn(text, field, row, terms);
    for (const [name, words] of Object.entries(personal)) expect(text, name).toContain(words);
    expect(text).not.toContain("withheld");
    const { fields } = present(meaning, terms, personal);
    expect(fields.map(({ place }) => place)).toEqual([...fields.map(({ place }) => place)].sort((a, b) => a - b));
  });

  it.each(eachCommit)("U34 %s: texts as long as a site may write them are drawn to the last character", (...c) => {
    const [, { meaning, example }] = c;
    const long = `${"word ".repeat(800)}end`;
    for (const field of meaning.fields.filter(({ show }) => show === "text")) {
      const shown = present(meaning, { ...example.terms, [field.member]: long }, {});
      const drawn = shown.fields.find(({ member }) => member === field.member);
      expect(plainText(drawn?.value.segments ?? []), field.member).toBe(long);
    }
  });

  it.each(eachCommit)("%s: what is decided about stands before what only names it", (_id, operation) => {
    const { meaning, ceiling } = operation;
    for (const { member, show, place } of meaning.fields)
      expect(place >= 100, member).toBe(
        show === "reference" || /^(currency|minor_digits|note|quote_|hold_)/.test(member),
      );
    const first = meaning.fields.find(({ place }) => place === 1);
    if (ceiling !== undefined && operation.approval === "passkey") expect(first?.member).toBe(ceiling.totalMember);
  });
});

describe("APR-2 REQ-8 CON-3 what binds", () => {
  it.each(eachCommit)("%s: what is money is money, in a currency that the record can be read with", (...c) => {
    const [, { meaning, example, ceiling, limits }] = c;
    const fields = [...meaning.fields, ...meaning.lists.flatMap((list) => list.fields)];
    for (const { member, show } of fields) expect(show === "money", member).toBe(member.endsWith("_minor"));
    const money = fields.some(({ show }) => show === "money");
    if (!money) return;
    const digits = currencyDigits(String(example.terms?.["currency"]));
    expect(digits).toEqual({ ok: true, value: example.terms?.["minor_digits"] });
    // Money that nobody bounds is money that a grant cannot be held against.
    expect(ceiling !== undefined || limits?.amount !== undefined).toBe(true);
  });

  it.each(eachCommit)("%s: what leaves is not above, everything else is equal", (_id, { meaning, ceiling }) => {
    const rows = meaning.lists.flatMap((list) => list.fields);
    for (const { member, compare, show } of [...meaning.fields, ...rows]) {
      if (show !== "money") expect(compare, member).toBe("equal");
      else expect(["equal", "not_above"], member).toContain(compare);
    }
    if (ceiling === undefined) return;
    expect(meaning.fields.find(({ member }) => member === ceiling.totalMember)?.compare).toBe("not_above");
    for (const member of [ceiling.limitMember, ceiling.totalMember]) expect(member).toMatch(/_minor$/);
  });

  it.each(eachCommit)("%s: the ceiling, the limits and the receipt name members that there are", (_id, operation) => {
    const { ceiling, limits, meaning } = operation;
    const asked = membersOf(inputSchema(operation.parameters)).map(({ path }) => path);
    const seen = membersOf(inputSchema(operation.terms)).map(({ path }) => path);
    if (ceiling !== undefined) {
      expect(asked).toEqual(expect.arrayContaining([ceiling.limitMember, ceiling.limitCurrencyMember]));
      expect(seen).toEqual(expect.arrayContaining([ceiling.totalMember, ceiling.currencyMember]));
      expect(inputSchema(operation.parameters)["required"]).toContain(ceiling.limitMember);
    }
    expect(limits?.payee).toBeDefined();
    expect(limits?.items).toBeDefined();
    for (const place of [limits?.payee, limits?.items]) {
      if (place === undefined || place === "none") continue;
      const base = "termsList" in place && place.termsList !== undefined ? `${place.termsList}/*/` : "";
      expect(seen).toContain(base + place.termsMember);
      if (place.requestMember !== undefined) expect(asked).toContain(place.requestMember);
    }
    expect(seen).toEqual(expect.arrayContaining([...meaning.receipt]));
    for (const sum of meaning.sums ?? [])
      expect(seen).toEqual(expect.arrayContaining([sum.total, ...("members" in sum ? sum.members : [sum.list])]));
  });

  it.each(eachCommit)("STA-3 (U04) %s: what a read-back looks for stands in the terms", (_id, operation) => {
    const { readBack } = operation;
    expect(readBack?.where).toMatch(/^[A-Z].{20,}\.$/);
    const seen = membersOf(inputSchema(operation.terms)).map(({ path }) => path);
    expect(readBack?.terms.length).toBeGreaterThan(0);
    expect(seen).toEqual(expect.arrayContaining([...(readBack?.terms ?? [])]));
    if (readBack?.listedBy !== undefined) expect(reads.map(({ id }) => id)).toContain(readBack.listedBy);
  });
});

describe("REC-2 personal data", () => {
  const PERSONAL = /^(patient|person|insured|holder|counterparty|practitioner|payee_name|payment_text|description)$/;
  const isPersonal = ({ name, path, operation }: (typeof allMembers)[number]) =>
    (PERSONAL.test(name) && operation.id !== "retail.item.get") || path === "payees/*/name";

  it("is marked wherever a member is known to hold it", () => {
    const marked = OPERATIONS.flatMap(({ id, personalData = [] }) => personalData.map((path) => `${id} ${path}`));
    const known = allMembers.filter(isPersonal).map(({ where }) => where);
    expect(known.filter((where) => !marked.includes(where))).toEqual([]);
  });

  it.each(all)("%s: what is marked is there, and in no receipt", (_id, operation) => {
    const paths = schemasOf(operation).flatMap(([part, schema]) => membersOf(schema).map((m) => `${part}/${m.path}`));
    expect(paths).toEqual(expect.arrayContaining([...(operation.personalData ?? [])]));
    if (operation.effect !== "commit") return;
    const inReceipt = operation.meaning.receipt.map((member) => `terms/${member}`);
    expect(inReceipt.filter((path) => operation.personalData?.includes(path))).toEqual([]);
    // Personal text of the page never stands in the terms as well.
    const terms = Object.keys(operation.example.terms ?? {});
    expect(operation.meaning.personal.filter(({ name }) => terms.includes(name))).toEqual([]);
  });
});

function expectDrawn(text: string, field: FieldMeaning, row: JsonObject, terms: JsonObject): void {
  const value = row[field.member];
  if (value === undefined) return;
  const words =
    field.show === "money" ? formatMoney({ minor: Number(value), currency: String(terms["currency"]) }) : String(value);
  expect(text).toContain(`${field.label}: ${words}`);
}
