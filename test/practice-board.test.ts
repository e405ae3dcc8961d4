import { startPracticeShop } from "@countersign/practice";
import { expect, it } from "vitest";
import { M } from "../packages/console/src/messages.ts";
import { practiceBoard } from "../packages/countersign/src/demo/practice-board.ts";

it("every switch of the board is one of the shop's, has its words in the console, and turns on and off", async () => {
  const shop = await startPracticeShop();
  try {
    const board = practiceBoard(shop);
    const { switches } = board.view();
    expect(switches.length).toBeGreaterThan(0);
    for (const { id, on } of switches) {
      expect(on, id).toBe(false);
      expect(Object.hasOwn(M.practice.names, id), id).toBe(true);
      expect(board.set(id, true)).toBe(true);
      expect(board.view().switches.find((s) => s.id === id)?.on, id).toBe(true);
      expect(board.set(id, false)).toBe(true);
      expect(shop.control.switches(), id).toEqual([]);
    }
    for (const id of ["sign_out", "bank_approves", "reset"]) expect(board.act(id), id).toBe(true);
    expect(board.set("constructor", true)).toBe(false);
    expect(board.act("toString")).toBe(false);
  } finally {
    await shop.close();
  }
});
