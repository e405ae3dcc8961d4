import { afterAll, beforeAll, expect, it } from "vitest";
import { type FrameSite, startFrameSite } from "../bench/src/live-view/frame-site.ts";
import { typeKeys } from "../bench/src/live-view/measure.ts";
import { openStage, type Stage } from "../bench/src/live-view/stage.ts";
import { until } from "./support/http.ts";

/** Two browsers and a gateway on a busy machine; how fast it is, `npm run bench:live-view` says. */
const TEST_MS = 180_000;
const KEYS = 18;

let frame: FrameSite;
let stage: Stage;

beforeAll(async () => {
  frame = await startFrameSite();
  const destination = { id: "frame", site: "frame", origin: frame.origin, alsoOrigins: [frame.frameOrigin] };
  stage = await openStage({ operations: [], sites: [frame.site], destinations: [destination] });
}, TEST_MS);
afterAll(async () => {
  await stage?.close();
  await frame?.close();
});

it(
  "U46 each key typed into a cross-origin frame has its picture on the person's own screen, and the text arrives exactly",
  async () => {
    const page = await stage.open("Frame");
    const typed = await typeKeys(page, KEYS, { x: 250, y: 110 });
    expect(typed.missed).toBe(0);
    expect(typed.line).toHaveLength(KEYS);
    await until(
      async () => frame.value(),
      (value) => value === typed.line,
      `the field holds ${typed.line}`,
      30_000,
    );
  },
  TEST_MS,
);
