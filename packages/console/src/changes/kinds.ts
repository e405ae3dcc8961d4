import type { ChangeKind } from "@countersign/gateway/trusted-contract";

/** What a path's answer is made of: a change of one of these kinds, and it may read differently. */
const MADE_OF: Readonly<Record<string, readonly ChangeKind[]>> = {
  inbox: ["tasks", "consents", "accounts", "agents"],
  tasks: ["tasks"],
  approvals: ["tasks"],
  receipts: ["tasks"],
  // A grant shows what it was used for.
  consents: ["consents", "tasks"],
  accounts: ["accounts"],
  agents: ["agents"],
  session: [],
  destinations: [],
  api: [],
};

const EVERY_KIND: readonly ChangeKind[] = ["tasks", "consents", "accounts", "agents"];

export function kindsOf(path: string): readonly ChangeKind[] {
  const name = path.split("/")[1] ?? "";
  return Object.hasOwn(MADE_OF, name) ? (MADE_OF[name] ?? EVERY_KIND) : EVERY_KIND;
}

/** Of these the stream of changes says nothing in time: they are asked for again and again while they are shown. */
export function isUnannounced(path: string): boolean {
  return /^\/(continuations|practice)(\/|$)/.test(path);
}
