import type { JsonObject } from "@countersign/wire";
import type { z } from "zod";
import type { ApprovalPolicy } from "./policy.ts";

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

/**
 * An amount that is the sum of a list (of each row's amount, times its quantity where it has one), or of other members of
 * the terms (U27). Whoever shows or checks a record adds it up anew.
 */
export type SumMeaning =
  | { readonly total: string; readonly list: string; readonly amount: string; readonly quantity?: string }
  | { readonly total: string; readonly members: readonly string[] };

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
  /** The member that names the instant until which the site stands by these terms; past it a new decision is needed (U29). */
  readonly validUntil?: string;
  /** Totals that stand beside what they are the sum of. */
  readonly sums?: readonly SumMeaning[];
}

/** The request's own maximum against what was observed (REQ-8). */
export interface Ceiling {
  readonly limitMember: string;
  readonly limitCurrencyMember: string;
  readonly totalMember: string;
  readonly currencyMember: string;
}

/**
 * Where the payee and the items of a commit stand, in the request and in the observed terms, so that a grant's limits
 * can be judged without knowing the operation (CON-3). `"none"` says that the operation has no such thing and a limit on
 * it says nothing; what is left out cannot be judged, and a grant that limits it does not cover the operation.
 */
export interface LimitMeaning {
  /**
   * For an operation without a ceiling whose terms show money, or which lets money leave later. `"none"`: nothing leaves
   * by it, its amounts come to the person or are only told. `"open"`: what will leave is not known when it is decided, so
   * a grant that limits money does not cover it.
   */
  readonly amount?: "none" | "open";
  readonly payee?: "none" | { readonly requestMember?: string; readonly termsMember: string };
  readonly items?: "none" | ItemMeaning;
}

/** Items stand in one member of the terms, or in the rows of a list, of which `where` picks those that are items. */
export interface ItemMeaning {
  readonly requestMember?: string;
  readonly termsMember: string;
  readonly termsList?: string;
  readonly where?: { readonly member: string; readonly equals: string };
}

/**
 * What a read-back looks for when the answer to a commit was lost (STA-3, U04): where the destination would show it, and
 * which members of the approved terms an entry there must carry to be this act and no other. An adapter puts them into
 * its fingerprint; two entries that both carry them leave it unknown.
 */
export interface ReadBackMeaning {
  readonly where: string;
  readonly terms: readonly string[];
  /** The reading operation that lists where it would show, where the catalogue has one. */
  readonly listedBy?: string;
}

/**
 * A read that is a watch: looked at again until its result says so or its time has come, and then reported. It never acts
 * on what it sees; whoever asked may then ask for an action, which is put to the person like any other.
 */
export interface Repeats {
  /** The member of the parameters with the instant at which the watch ends. */
  readonly untilMember: string;
  /** The member of the result that is true when there is something to report. */
  readonly metMember: string;
  /** A destination is not asked more often than this. */
  readonly everyMsMin: number;
}

interface OperationBase {
  readonly id: string;
  readonly title: string;
  /** What it does and what it never does, in a few plain sentences: for whoever picks an operation. */
  readonly about?: string;
  /**
   * Members that hold personal data, as paths (`result/claims/*\/person`): in no log and no receipt (REC-2), and to be
   * masked by whoever keeps a copy of a page or a result.
   */
  readonly personalData?: readonly string[];
  readonly version: string;
  readonly sensitivity: "ordinary" | "critical";
  readonly parameters: z.ZodType<JsonObject>;
  readonly result: z.ZodType<JsonObject>;
  readonly example: { readonly parameters: JsonObject; readonly terms?: JsonObject; readonly result: JsonObject };
}

export interface ReadOperation extends OperationBase {
  readonly effect: "read";
  readonly repeats?: Repeats;
}

export interface CommitOperation extends OperationBase {
  readonly effect: "commit";
  readonly terms: z.ZodType<JsonObject>;
  readonly meaning: TermsMeaning;
  /** The least that is demanded; a tenant or a grant tightens it, nothing loosens it. */
  readonly approval: ApprovalPolicy;
  readonly ceiling?: Ceiling;
  readonly limits?: LimitMeaning;
  readonly readBack?: ReadBackMeaning;
  /** Contradictions within the terms, or between them and the request; each names a member. Empty when they agree. */
  readonly contradictions: (parameters: JsonObject, terms: JsonObject) => readonly string[];
}

/** One typed operation of the catalogue (REQ-3). Adding one is one file. */
export type Operation = ReadOperation | CommitOperation;

export type Catalogue = ReadonlyMap<string, Operation>;
