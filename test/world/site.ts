import type { RouteKind, Site } from "@countersign/plugin";
import type { JsonObject } from "@countersign/wire";
import type { Person } from "../support/person.ts";

// What the table needs to know of one site of the practice world. A further site joins the table by one file that says
// this of it, and one line in `sites.ts`: its operations and routes are read from its adapter.

/** The faults of a site that the rows turn on; the practice sites have them all in common. */
export interface WorldControl {
  /** Commit, then break the connection, once. */
  loseAnswer(): void;
  /** Ends every session and token: the site wants the person again. */
  endSession(): void;
  /** Changes the terms for the worse from now on, and takes that back. */
  dearer(operation: string): void;
  asBefore(operation: string): void;
  counters(): {
    readonly signIns: number;
    readonly signInFailures: number;
    readonly submits: number;
    readonly foreignTokens: number;
  };
}

export interface OpenWorldSite {
  readonly origin: string;
  /** Further origins that the site's pages need: a frame of another company's. */
  readonly alsoOrigins?: readonly string[];
  readonly control: WorldControl;
  /** What has to be so before the operation can be done again: a membership that can be cancelled. */
  readonly before?: (operation: string) => void;
  /** What the person enters at the gateway beside the rows that the site says; `refs` has them by their label as well. */
  readonly entered?: readonly { readonly kind: string; readonly label: string; readonly value: JsonObject }[];
  /** How often an operation was done through a commit endpoint, by the site's own count. */
  effects(operation: string): number;
  /** Signs in as a person does, password and second factor, the second factor wrong at first (MFA-2). */
  signIn(person: Person, continuationRef: string, route: RouteKind): Promise<void>;
  /** What the person typed and what the site gave: none of it may stand anywhere outside the vault. */
  secrets(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface OperationRow {
  /** What is asked for; `refs` are the account's own rows by their label, as its capabilities list them. */
  readonly parameters: (refs: ReadonlyMap<string, string>) => JsonObject;
  /** Absent where the terms of an operation cannot become dearer. */
  readonly termsChange?: "no";
  /** What its result must hold, as the site has it now. */
  readonly result: (open: OpenWorldSite) => JsonObject;
}

export interface WorldSite {
  /** The site's id. */
  readonly id: string;
  readonly site: Site;
  readonly open: () => Promise<OpenWorldSite>;
  /** By operation: each that the adapter has must be here. */
  readonly rows: Readonly<Record<string, OperationRow>>;
}
