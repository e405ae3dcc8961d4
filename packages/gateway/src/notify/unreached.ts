import type { Core } from "../core.ts";
import { UNREACHED_SHOWN_MS } from "../limits.ts";
import type { Db } from "../store/store.ts";
import { CHANNELS, type ChannelName } from "./kinds.ts";

/** The channels by which the person could not be reached, and has not been since. */
export async function unreachedBy(
  core: Pick<Core, "now">,
  db: Db,
  personId: string,
): Promise<readonly { readonly channel: ChannelName; readonly at: number }[]> {
  const rows = await db
    .selectFrom("notice_delivery")
    .select(["channel", "state"])
    .select(({ fn }) => fn.max<number>("settled_at").as("at"))
    .where("person_id", "=", personId)
    .where("state", "in", ["sent", "gave_up"])
    .where("settled_at", ">", core.now() - UNREACHED_SHOWN_MS)
    .groupBy(["channel", "state"])
    .execute();
  const latest = (channel: string, state: string): number =>
    Number(rows.find((row) => row.channel === channel && row.state === state)?.at ?? 0);
  return CHANNELS.map((channel) => ({ channel, at: latest(channel, "gave_up") })).filter(
    ({ channel, at }) => at > latest(channel, "sent"),
  );
}
