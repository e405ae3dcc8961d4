import type { Core } from "../core.ts";
import { AGENT_SEEN_MS } from "../limits.ts";

/**
 * Keeps when an agent was last heard of, to the minute, so that its person notices one that should be silent. At most
 * one write a minute and agent, and never a reason to refuse the call it belongs to.
 */
export async function noteSeen(core: Pick<Core, "store" | "now" | "log">, clientId: string): Promise<void> {
  const now = core.now();
  try {
    const row = await core.store.db
      .selectFrom("agent")
      .select("last_seen_at")
      .where("client_id", "=", clientId)
      .executeTakeFirst();
    if (row === undefined || (row.last_seen_at !== null && now < row.last_seen_at + AGENT_SEEN_MS)) return;
    await core.store.db.updateTable("agent").set({ last_seen_at: now }).where("client_id", "=", clientId).execute();
  } catch {
    core.log.warn("agent.seen_not_kept");
  }
}
