import type { BrowserContext, CDPSession } from "playwright-core";
import type { Origin } from "../door/door.ts";

/**
 * Which context a paused request belongs to. Pages, pop-ups, cross-site frames and workers are targets, found by the
 * event's frame id; a same-site frame is none and is looked for in the pages' trees. Undefined for a page that has
 * closed already: such a request (keepalive, beacon) is never one that was asked for.
 */
export async function locateFrame(
  cdp: CDPSession,
  contexts: ReadonlyMap<string, BrowserContext>,
  frameId: string,
): Promise<Origin | undefined> {
  const target = await targetOf(cdp, frameId);
  if (target?.browserContextId) {
    const own = webOrigin(target.url);
    const opener = own === undefined && target.openerId ? await targetOf(cdp, target.openerId) : undefined;
    return { contextId: target.browserContextId, pageOrigin: own ?? (opener && webOrigin(opener.url)) };
  }
  for (const [contextId, context] of contexts) {
    for (const page of context.pages()) {
      const session = await context.newCDPSession(page).catch(() => undefined);
      if (!session) continue;
      const tree = await session.send("Page.getFrameTree").catch(() => undefined);
      await session.detach().catch(() => {});
      const url = tree && urlOfFrame(tree.frameTree, frameId);
      if (url !== undefined) return { contextId, pageOrigin: webOrigin(url) };
    }
  }
  return undefined;
}

async function targetOf(cdp: CDPSession, targetId: string) {
  const answer = await cdp.send("Target.getTargetInfo", { targetId }).catch(() => undefined);
  return answer?.targetInfo;
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

function urlOfFrame(tree: FrameTree, frameId: string): string | undefined {
  const waiting: FrameTree[] = [tree];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.frame.id === frameId) return next.frame.url;
    waiting.push(...(next.childFrames ?? []));
  }
  return undefined;
}

function webOrigin(url: string): string | undefined {
  return /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : undefined;
}
