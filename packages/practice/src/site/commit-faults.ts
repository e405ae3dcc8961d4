import type { Exchange } from "../http/exchange.ts";
import { page, type Reply, redirect, type WireReply } from "../http/reply.ts";
import type { Site } from "./site.ts";
import type { FaultAnswer } from "./switches.ts";
import type { SiteWorld } from "./world.ts";

const DROP: WireReply = { kind: "drop" };

/** What a proxy in front of a site would say: recognisably nobody's confirmation and nobody's refusal. */
function proxyPage(status: number): WireReply {
  const title = `${status} ${status >= 500 ? "Server Error" : "Error"}`;
  return page(status, `<html><head><title>${title}</title></head><body><h1>${title}</h1><hr>gateway</body></html>\n`);
}

function faultAnswer<W extends SiteWorld>(
  site: Site<W>,
  world: W,
  exchange: Exchange,
  fault: FaultAnswer,
  whole: () => WireReply,
): WireReply {
  if (typeof fault === "number") return proxyPage(fault);
  switch (fault) {
    case "sign_in_page":
      return site.signInPage(world, exchange);
    case "sign_in_redirect":
      return redirect(302, site.signInPath);
    case "half_body": {
      const reply = whole();
      return reply.kind === "answer" ? { kind: "half", answer: reply } : reply;
    }
  }
}

/** The faults that strike when a submission has arrived and nothing is committed. */
export async function faultBeforeCommit<W extends SiteWorld>(
  site: Site<W>,
  world: W,
  exchange: Exchange,
  commit: string,
): Promise<WireReply | undefined> {
  const { faults } = world;
  const delay = faults.take("delay", { commit, at: "before_commit" });
  if (delay) await world.sleep(delay.ms);
  if (faults.take("dropBeforeCommit", { commit })) return DROP;
  const stop = faults.take("withoutCommitThen", { commit });
  return stop && faultAnswer(site, world, exchange, stop.answer, () => proxyPage(200));
}

/** The faults that strike between the commit and its answer. Anything that was not committed passes untouched. */
export async function faultAfterCommit<W extends SiteWorld>(
  site: Site<W>,
  world: W,
  exchange: Exchange,
  reply: Reply,
): Promise<WireReply> {
  if (reply.kind !== "committed") return reply;
  const { faults } = world;
  const { commit } = reply;
  const delay = faults.take("delay", { commit, at: "after_commit" });
  if (delay) await world.sleep(delay.ms);
  if (faults.take("commitThenDrop", { commit })) return DROP;
  const then = faults.take("commitThen", { commit });
  return then ? faultAnswer(site, world, exchange, then.answer, reply.landing) : reply.answer;
}
