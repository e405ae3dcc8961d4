import type { JsonObject } from "@countersign/wire";
import type { z } from "zod";

/** How a term is compared with the approved one at the boundary. */
export type Compare =
  /** Any difference asks again. */
  | "equal"
  /** Equal or lower passes (and is reported); higher asks again. */
  | "not_above"
  /** Not material: shown, never compared. */
  | "informative";

/** How a term is shown. `money` is minor units of the record's own currency. */
export type Show = "money" | "text" | "host" | "count" | "date" | "instant" | "reference" | "currency";

/** What one member of the terms means to the person and to the comparison (APR-2, APR-4). */
export interface FieldMeaning {
  readonly member: string;
  readonly label: string;
  readonly compare: Compare;
  readonly show: Show;
  /** Lower is nearer the top; below 100 must be seen without scrolling. */
  readonly place: number;
}

/** A list inside the terms. Rows are matched by `key`; a row more or less asks again. */
export interface ListMeaning {
  readonly member: string;
  readonly label: string;
  readonly key: readonly string[];
  readonly fields: readonly FieldMeaning[];
  readonly place: number;
}

/** The meaning of an operation's terms as plain data: the boundary, the approval page and other gateways read the same. */
export interface TermsMeaning {
  readonly fields: readonly FieldMeaning[];
  readonly lists: readonly ListMeaning[];
  /** Personal text kept out of the record but for a salted digest; compared as equal. */
  readonly personal: readonly { readonly name: string; readonly label: string; readonly place: number }[];
  /** Members that go into the receipt as observed; never personal ones (REC-2). */
  readonly receipt: readonly string[];
  /** The question put to the person, for example "Place this order?". */
  readonly question: string;
  /** The words on the approving button, for example "Approve and pay". */
  readonly affirm: string;
}

/** The request's own maximum against what was observed (REQ-8). */
export interface Ceiling {
  readonly limitMember: string;
  readonly limitCurrencyMember: string;
  readonly totalMember: string;
  readonly currencyMember: string;
}

/** Who has to decide before a commit. Tightened per tenant or grant, never loosened by an agent. */
export type ApprovalPolicy = "none" | "session" | "passkey" | "authority";

interface OperationBase {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly sensitivity: "ordinary" | "critical";
  readonly parameters: z.ZodType<JsonObject>;
  readonly result: z.ZodType<JsonObject>;
  readonly example: { readonly parameters: JsonObject; readonly terms?: JsonObject; readonly result: JsonObject };
}

export interface ReadOperation extends OperationBase {
  readonly effect: "read";
}

export interface CommitOperation extends OperationBase {
  readonly effect: "commit";
  readonly terms: z.ZodType<JsonObject>;
  readonly meaning: TermsMeaning;
  readonly approval: ApprovalPolicy;
  readonly ceiling?: Ceiling;
  /** Contradictions within the terms, or between them and the request; each names a member. Empty when they agree. */
  readonly contradictions: (parameters: JsonObject, terms: JsonObject) => readonly string[];
}

/** One typed operation of the catalogue (REQ-3). Adding one is one file. */
export type Operation = ReadOperation | CommitOperation;

export type Catalogue = ReadonlyMap<string, Operation>;
