import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { evershop } from "@countersign/adapter-evershop";
import { OPERATIONS } from "@countersign/profile";
import { startEverShop } from "../../../tools/evershop/shop.ts";
import { startFrameSite } from "./frame-site.ts";
import { share, type Typed, typeKeys } from "./measure.ts";
import { openStage } from "./stage.ts";

/** EverShop's field for the e-mail address, and the one in the frame, in pixels of the picture as it is drawn. */
const FIELDS = { evershop: { x: 600, y: 330 }, frame: { x: 250, y: 110 } } as const;
const CEILING_MS = 250;

const { values } = parseArgs({
  options: {
    keys: { type: "string", default: "200" },
    only: { type: "string", multiple: true },
    picture: { type: "string" },
  },
});
const keys = Number(values.keys);
const wants = (name: string) => values.only === undefined || values.only.includes(name);

const report = {
  what: "from a key going down in the person's browser to the picture with it on its canvas, loopback",
  keys,
  wanted: { p95_ms: CEILING_MS },
  load_before: loadavg().map((each) => Number(each.toFixed(2))),
  pages: [] as object[],
};

function add(page: string, typed: Typed): void {
  report.pages.push({
    page,
    keys: typed.times.length + typed.missed,
    without_picture: typed.missed,
    p50_ms: share(typed.times, 0.5),
    p95_ms: share(typed.times, 0.95),
    max_ms: share(typed.times, 1),
    met: typed.missed === 0 && share(typed.times, 0.95) < CEILING_MS,
  });
}

const frame = await startFrameSite();
const shop = wants("evershop") ? await startEverShop() : undefined;
const stage = await openStage({
  operations: OPERATIONS,
  sites: [evershop, frame.site],
  destinations: [
    { id: "frame", site: "frame", origin: frame.origin, alsoOrigins: [frame.frameOrigin] },
    ...(shop === undefined ? [] : [{ id: "evershop", site: "evershop", origin: shop.origin }]),
  ],
});
try {
  if (wants("evershop")) {
    const page = await stage.open("EverShop");
    if (values.picture !== undefined) {
      await page.waitForTimeout(5_000);
      await page.screenshot({ path: values.picture, fullPage: true });
    }
    add("EverShop's sign-in page", await typeKeys(page, keys, FIELDS.evershop));
    await page.close();
  }
  if (wants("frame")) {
    const page = await stage.open("Frame");
    add("a field in a cross-origin frame", await typeKeys(page, keys, FIELDS.frame));
  }
  console.log(
    JSON.stringify({ ...report, load_after: loadavg().map((each) => Number(each.toFixed(2))) }, undefined, 2),
  );
} finally {
  await stage.close();
  await shop?.stop();
  await frame.close();
}
