import type { Exchange } from "../http/exchange.ts";
import { page, type Reply, redirect, type WireReply } from "../http/reply.ts";
import { signInPage } from "../pages/sign-in.ts";
import type { World } from "../shop/world.ts";
import type { CommitKind, FaultAnswer } from "./switches.ts";

const DROP: WireReply = { kind: "drop" };

/** What a proxy in front of a shop would say: recognisably nobody's confirmation and nobody's refusal. */
function proxyPage(status: number): WireReply {
  const title = `${status} ${status >= 500 ? "Server Error" : "Error"}`;
  return page(status, `<html><head><title>${title}</title></head><body><h1>${title}</h1><hr>gateway</body></html>\n`);
}

function faultAnswer(world: World, exchange: Exchange, fault: FaultAnswer, whole: () => WireReply): WireReply {
  if (typeof fault === "number") return proxyPage(fault);
  switch (fault) {
    case "sign_in_page":
      return signInPage(world, exchange, { status: 200, next: "/" });
    case "sign_in_redirect":
      return redirect(302, "/sign-in");
    case "half_body": {
      const reply = whole();
      return reply.kind === "answer" ? { kind: "half", answer: reply } : reply;
    }
  }
}

/** The faults that strike when a submission has arrived and nothing is committed. */
export async function faultBeforeCommit(
  world: World,
  exchange: Exchange,
  commit: CommitKind,
): Promise<WireReply | undefined> {
  const { switches } = world;
  const delay = switches.take("delay", { commit, at: "before_commit" });
  if (delay) await world.sleep(delay.ms);
  if (switches.take("dropBeforeCommit", { commit })) return DROP;
  const stop = switches.take("withoutCommitThen", { commit });
  return stop && faultAnswer(world, exchange, stop.answer, () => proxyPage(200));
}

/** The faults that strike between the commit and its answer. Anything that was not committed passes untouched. */
export async function faultAfterCommit(world: World, exchange: Exchange, reply: Reply): Promise<WireReply> {
  if (reply.kind !== "committed") return reply;
  const { switches } = world;
  const { commit } = reply;
  const delay = switches.take("delay", { commit, at: "after_commit" });
  if (delay) await world.sleep(delay.ms);
  if (switches.take("commitThenDrop", { commit })) return DROP;
  const then = switches.take("commitThen", { commit });
  return then ? faultAnswer(world, exchange, then.answer, reply.landing) : reply.answer;
}
