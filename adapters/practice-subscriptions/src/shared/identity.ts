import type { AccountIdentity } from "@countersign/plugin";

/** The account in the service's own words (lessons U44), the same by either route; of the address only its ends are shown. */
export function identityOf(name: string, login: string): AccountIdentity {
  const at = login.lastIndexOf("@");
  return { name: `${name} (${login.slice(0, 1)}…${login.slice(at)})`, key: login, details: [] };
}
