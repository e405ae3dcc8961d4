import { SiteTrouble } from "@countersign/plugin";
import type { Frame, Page } from "playwright-core";

/**
 * The frame of a page that has this title, its document loaded: what another company's form stands in. It is looked
 * through by role and text as a page is, whatever its origin.
 * @throws SiteTrouble when there is not exactly one, or it shows nothing.
 */
export async function frameIn(page: Page, title: string): Promise<Frame> {
  const place = page.locator("iframe").and(page.getByTitle(title, { exact: true }));
  if ((await place.count()) !== 1) throw new SiteTrouble("the site's page does not hold its one frame");
  const element = await place.elementHandle();
  const frame = (await element?.contentFrame()) ?? undefined;
  if (frame === undefined) throw new SiteTrouble("the site's frame is empty");
  await frame.waitForURL(/^https?:/, { waitUntil: "domcontentloaded" });
  return frame;
}

/** Clicks what leads the frame to another document, and waits for that. */
export async function followIn(frame: Frame, click: () => Promise<void>): Promise<void> {
  const moved = frame.page().waitForEvent("framenavigated", { predicate: (each) => each === frame });
  await Promise.all([moved, click()]);
  await frame.waitForLoadState("domcontentloaded");
}
