import type { BrowserContext, CDPSession } from "playwright-core";
import type { Origin } from "../door/door.ts";

/**
 * Which context a paused request belongs to. Pages, pop-ups, cross-site frames and workers are targets, found by the
 * event's frame id; a same-site frame is none and is looked for in the trees of the pages and of their cross-site frames,
 * each of which has a tree of its own. Undefined for a page that has
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
    return {
      contextId: target.browserContextId,
      pageOrigin: own ?? (opener && webOrigin(opener.url)),
      frame: target.type === "iframe" ? "inner" : "top",
    };
  }
  for (const [contextId, context] of contexts) {
    const roots = context.pages().flatMap((page) => [page, ...page.frames().filter((one) => one !== page.mainFrame())]);
    for (const root of roots) {
      // A frame without a process of its own has no session: it stands in the tree of the one above.
      const session = await context.newCDPSession(root).catch(() => undefined);
      if (!session) continue;
      const tree = await session.send("Page.getFrameTree").catch(() => undefined);
      await session.detach().catch(() => {});
      const url = tree && urlOfFrame(tree.frameTree, frameId);
      // A page itself is a target, and was found above.
      if (url !== undefined) return { contextId, pageOrigin: webOrigin(url), frame: "inner" };
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
