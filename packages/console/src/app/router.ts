import { useSyncExternalStore } from "react";

/** Where the person is: a page's name with the reference that it is about. */
export type Place =
  | { readonly page: (typeof ALONE)[keyof typeof ALONE] | "unknown" }
  | { readonly page: (typeof WITH_ID)[keyof typeof WITH_ID]; readonly id: string };

const WITH_ID = {
  agents: "agent",
  consents: "consent",
  continuations: "continuation",
  approvals: "approval",
  authorize: "authorize",
  tasks: "task",
  receipts: "receipt",
} as const;
const ALONE = {
  "": "inbox",
  agents: "agents",
  consents: "consents",
  accounts: "accounts",
  tasks: "tasks",
  receipts: "receipts",
  authorities: "authorities",
  practice: "practice",
  protocols: "protocols",
  contact: "contact",
  device: "device",
  more: "more",
  link: "link",
  passkeys: "passkeys",
  "outside-sign-in": "outside",
  returned: "returned",
} as const;

/** References are opaque, but never hold a character that would lead a request to another path. */
const REFERENCE = /^[A-Za-z0-9_.~:-]{1,200}$/;

/** The page of a path; `unknown` for every path that is none, and for a reference that cannot be one. */
export function placeOf(path: string): Place {
  const [first = "", id = "", ...rest] = path.split("/").slice(1);
  if (rest.length > 0) return { page: "unknown" };
  if (id === "")
    return Object.hasOwn(ALONE, first) ? { page: ALONE[first as keyof typeof ALONE] } : { page: "unknown" };
  if (!Object.hasOwn(WITH_ID, first) || !REFERENCE.test(id) || id === "." || id === "..") return { page: "unknown" };
  return { page: WITH_ID[first as keyof typeof WITH_ID], id };
}

const MOVED = "countersign:moved";

/** Goes to a page of the console without loading it anew. */
export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new Event(MOVED));
  scrollTo(0, 0);
}

/** The path in the address bar, as it changes. */
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
