/** The kinds of things of which a person's pages are told that something changed. */
export const CHANGE_KINDS = ["tasks", "consents", "accounts", "agents"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
