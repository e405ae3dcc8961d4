import { useSyncExternalStore } from "react";

/** Where the person is: a page's name with the part of the path that it is about. */
export type Place =
  | { readonly page: "inbox" | "agents" | "consents" | "accounts" | "tasks" | "link" | "unknown" }
  | { readonly page: "agent" | "consent" | "continuation" | "approval" | "task"; readonly id: string };

const WITH_ID = {
  agents: "agent",
  consents: "consent",
  continuations: "continuation",
  approvals: "approval",
  tasks: "task",
} as const;
const ALONE = {
  "": "inbox",
  agents: "agents",
  consents: "consents",
  accounts: "accounts",
  tasks: "tasks",
  link: "link",
} as const;

export function placeOf(path: string): Place {
  const [first = "", id = "", ...rest] = path.split("/").slice(1);
  if (rest.length > 0) return { page: "unknown" };
  if (id !== "")
    return Object.hasOwn(WITH_ID, first) ? { page: WITH_ID[first as keyof typeof WITH_ID], id } : { page: "unknown" };
  return Object.hasOwn(ALONE, first) ? { page: ALONE[first as keyof typeof ALONE] } : { page: "unknown" };
}

const MOVED = "countersign:moved";

export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new Event(MOVED));
  scrollTo(0, 0);
}

export function usePath(): string {
  return useSyncExternalStore(
    (changed) => {
      addEventListener("popstate", changed);
      addEventListener(MOVED, changed);
      return () => {
        removeEventListener("popstate", changed);
        removeEventListener(MOVED, changed);
      };
    },
    () => location.pathname,
  );
}
