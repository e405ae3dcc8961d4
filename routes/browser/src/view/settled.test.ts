import { describe, expect, it } from "vitest";
import { onceSettled } from "./settled.ts";

const atOnce = {
  after(_ms: number, fn: () => void) {
    queueMicrotask(fn);
    return () => {};
  },
};

describe("going back between two pages", () => {
  it("is tried again until the next page is the one in force, and not after that", async () => {
    let asked = 0;
    await onceSettled(atOnce, 5, async () => {
      asked += 1;
      if (asked < 3) throw new Error("page.goBack: Protocol error: Not attached to an active page");
    });
    expect(asked).toBe(3);
  });

  it("ends after its tries, and passes on any other trouble at once", async () => {
    let asked = 0;
    await onceSettled(atOnce, 4, async () => {
      asked += 1;
      throw new Error("Not attached to an active page");
    });
    expect(asked).toBe(4);
    await expect(onceSettled(atOnce, 4, () => Promise.reject(new Error("closed")))).rejects.toThrow("closed");
  });
});
