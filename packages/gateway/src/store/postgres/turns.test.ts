import { expect, it } from "vitest";
import { createTurns } from "./turns.ts";

const conflict = new Error("conflict");
const turns = (most = 8) => createTurns(most, (error) => error === conflict);
const fail = (error: Error) => () => Promise.reject(error);

it("begins with one at a time, in the order of asking", async () => {
  const mine = turns();
  const order: number[] = [];
  let under = 0;
  let most = 0;
  await Promise.all(
    [1, 2, 3].map((n) =>
      mine.run(async () => {
        most = Math.max(most, ++under);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(n);
        under--;
      }),
    ),
  );
  expect([order, most]).toEqual([[1, 2, 3], 1]);
});

it("grows with success up to the most, and is halved by a conflict, never below one", async () => {
  const mine = turns(4);
  for (let i = 0; i < 500; i++) await mine.run(async () => {});
  expect(mine.atOnce).toBe(4);
  await expect(mine.run(fail(conflict))).rejects.toBe(conflict);
  expect(mine.atOnce).toBe(2);
  for (let i = 0; i < 5; i++) await mine.run(fail(conflict)).catch(() => {});
  expect(mine.atOnce).toBe(1);
});

it("another error changes nothing, and frees the place", async () => {
  const mine = turns();
  for (let i = 0; i < 200; i++) await mine.run(async () => {});
  const before = mine.atOnce;
  await expect(mine.run(fail(new Error("other")))).rejects.toThrow("other");
  expect(mine.atOnce).toBe(before);
  expect(await mine.run(async () => "on")).toBe("on");
});
