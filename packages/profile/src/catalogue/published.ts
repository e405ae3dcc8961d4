import type { JsonObject } from "@countersign/wire";
import { z } from "zod";
import { PROFILE_ID } from "../limits.ts";
import type { FieldMeaning, Operation, SumMeaning, TermsMeaning } from "./model.ts";
import { approvalPolicy } from "./policy.ts";

// The catalogue as it is published (REQ-3, REQ-7): everything that is data about an operation, from the very objects that
// the gateway runs by. What is code (contradictions beyond the sums) stays code; the schemas and rules say the rest.

/** The same JSON as everywhere; the library has a type of its own for it, which nothing of ours is assignable to. */
const json: z.ZodType<JsonObject> = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;
const text = z.string();
const texts = z.array(text);
const compare = z.enum(["equal", "not_above", "informative"]);
const show = z.enum(["money", "text", "host", "count", "date", "instant", "reference", "currency"]);
const field = z.object({ member: text, label: text, compare, show, place: z.int() });
const sum = z.union([
  z.object({ total: text, list: text, amount: text, quantity: text.exactOptional() }),
  z.object({ total: text, members: texts }),
]);

const meaningView = z.object({
  question: text,
  affirm: text,
  fields: z.array(field),
  lists: z.array(z.object({ member: text, label: text, key: texts, fields: z.array(field), place: z.int() })),
  personal: z.array(z.object({ name: text, label: text, place: z.int() })),
  receipt: texts,
  sums: z.array(sum),
  valid_until: text.exactOptional(),
});

const where = z.object({ member: text, equals: text });
const place = z.object({
  request_member: text.exactOptional(),
  terms_member: text,
  terms_list: text.exactOptional(),
  where: where.exactOptional(),
});
const told = z.union([z.literal("none"), place]);

const common = {
  id: text,
  title: text,
  about: text.exactOptional(),
  version: text,
  sensitivity: z.enum(["ordinary", "critical"]),
  parameters: json,
  result: json,
  /** Paths below `parameters`, `terms` and `result`; `*` stands for every row. */
  personal_data: texts,
  example: z.object({ parameters: json, terms: json.exactOptional(), result: json }),
};

export const catalogueView = z.object({
  profile: text,
  operations: z.array(
    z.discriminatedUnion("effect", [
      z.object({
        effect: z.literal("read"),
        ...common,
        repeats: z.object({ until_member: text, met_member: text, every_ms_min: z.int() }).exactOptional(),
      }),
      z.object({
        effect: z.literal("commit"),
        ...common,
        terms: json,
        meaning: meaningView,
        approval: approvalPolicy,
        ceiling: z
          .object({ limit_member: text, limit_currency_member: text, total_member: text, currency_member: text })
          .exactOptional(),
        limits: z
          .object({
            amount: z.enum(["none", "open"]).exactOptional(),
            payee: told.exactOptional(),
            items: told.exactOptional(),
          })
          .exactOptional(),
        read_back: z.object({ where: text, terms: texts, listed_by: text.exactOptional() }).exactOptional(),
      }),
    ]),
  ),
});
export type CatalogueView = z.infer<typeof catalogueView>;

/** The document at `/.well-known/agentic-web-execution/catalogue`, of whatever operations a gateway runs. */
export function publishedCatalogue(operations: Iterable<Operation>): CatalogueView {
  const sorted = [...operations].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { profile: PROFILE_ID, operations: sorted.map(published) };
}

/** As a sender sees it: members with a default may be left out. Rules that JSON Schema cannot say stay in the code. */
export function inputSchema(schema: z.ZodType): JsonObject {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as unknown as JsonObject;
}

type OperationView = CatalogueView["operations"][number];

function published(operation: Operation): OperationView {
  const { id, title, about, version, sensitivity, example } = operation;
  const shared = {
    id,
    title,
    ...(about === undefined ? {} : { about }),
    version,
    sensitivity,
    parameters: inputSchema(operation.parameters),
    result: inputSchema(operation.result),
    personal_data: [...(operation.personalData ?? [])],
    example: { ...example },
  };
  if (operation.effect === "read") {
    const { repeats } = operation;
    return {
      effect: "read",
      ...shared,
      ...(repeats === undefined
        ? {}
        : {
            repeats: {
              until_member: repeats.untilMember,
              met_member: repeats.metMember,
              every_ms_min: repeats.everyMsMin,
            },
          }),
    };
  }
  const { ceiling, limits, readBack } = operation;
  return {
    effect: "commit",
    ...shared,
    terms: inputSchema(operation.terms),
    meaning: meaningOf(operation.meaning),
    approval: operation.approval,
    ...(ceiling === undefined
      ? {}
      : {
          ceiling: {
            limit_member: ceiling.limitMember,
            limit_currency_member: ceiling.limitCurrencyMember,
            total_member: ceiling.totalMember,
            currency_member: ceiling.currencyMember,
          },
        }),
    ...(limits === undefined
      ? {}
      : {
          limits: {
            ...(limits.amount === undefined ? {} : { amount: limits.amount }),
            ...(limits.payee === undefined ? {} : { payee: placeOf(limits.payee) }),
            ...(limits.items === undefined ? {} : { items: placeOf(limits.items) }),
          },
        }),
    ...(readBack === undefined
      ? {}
      : {
          read_back: {
            where: readBack.where,
            terms: [...readBack.terms],
            ...(readBack.listedBy === undefined ? {} : { listed_by: readBack.listedBy }),
          },
        }),
  };
}

function meaningOf(meaning: TermsMeaning): z.infer<typeof meaningView> {
  return {
    question: meaning.question,
    affirm: meaning.affirm,
    fields: meaning.fields.map(fieldOf),
    lists: meaning.lists.map(({ member, label, key, fields, place: at }) => ({
      member,
      label,
      key: [...key],
      fields: fields.map(fieldOf),
      place: at,
    })),
    personal: meaning.personal.map((one) => ({ ...one })),
    receipt: [...meaning.receipt],
    sums: (meaning.sums ?? []).map(sumOf),
    ...(meaning.validUntil === undefined ? {} : { valid_until: meaning.validUntil }),
  };
}

function fieldOf({ member, label, compare: rule, show: as, place: at }: FieldMeaning): z.infer<typeof field> {
  return { member, label, compare: rule, show: as, place: at };
}

function sumOf(meaning: SumMeaning): z.infer<typeof sum> {
  return "members" in meaning ? { ...meaning, members: [...meaning.members] } : { ...meaning };
}

interface Place {
  readonly requestMember?: string;
  readonly termsMember: string;
  readonly termsList?: string;
  readonly where?: z.infer<typeof where>;
}

function placeOf(meaning: "none" | Place): z.infer<typeof told> {
  if (meaning === "none") return "none";
  return {
    ...(meaning.requestMember === undefined ? {} : { request_member: meaning.requestMember }),
    terms_member: meaning.termsMember,
    ...(meaning.termsList === undefined ? {} : { terms_list: meaning.termsList }),
    ...(meaning.where === undefined ? {} : { where: { ...meaning.where } }),
  };
}
