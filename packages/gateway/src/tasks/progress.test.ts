import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Core } from "../core.ts";
import { createProgress } from "./progress.ts";

const WAIT_MS = 100;
let written: number;
let failing: boolean;
const warnings: string[] = [];
const core = {
  now: () => 7,
  log: { warn: (event: string) => warnings.push(event) },
  store: {
    transaction: async () => {
      if (failing) throw new Error("away");
      written++;
    },
  },
} as unknown as Core;

beforeEach(() => {
  vi.useFakeTimers();
  written = 0;
  failing = false;
  warnings.length = 0;
});
afterEach(() => vi.useRealTimers());

it("notes wait for the transition that follows, and are then not written again", async () => {
  const progress = createProgress(core, "task_1", WAIT_MS);
  progress.note("hold", "Going to the last step");
  progress.note("observe", "Reading the terms again");
  expect(progress.take()).toEqual([
    { at: 7, step: "hold", label: "Going to the last step" },
    { at: 7, step: "observe", label: "Reading the terms again" },
  ]);
  expect(progress.take()).toEqual([]);
  await vi.advanceTimersByTimeAsync(10 * WAIT_MS);
  expect(written).toBe(0);
});

it("when nothing follows in time they are written by themselves, together", async () => {
  const progress = createProgress(core, "task_1", WAIT_MS);
  progress.note("page", "Opening the shop");
  progress.note("cart", "Putting it into the cart");
  await vi.advanceTimersByTimeAsync(WAIT_MS - 1);
  expect(written).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toBe(1);
  progress.note("terms", "Reading the terms");
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(written).toBe(2);
});

it("a note that cannot be written is missed by nobody", async () => {
  failing = true;
  createProgress(core, "task_1", WAIT_MS).note("page", "Opening the shop");
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(warnings).toEqual(["task.progress_not_noted"]);
});
