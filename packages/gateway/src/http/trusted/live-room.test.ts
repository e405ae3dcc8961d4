import type { LiveView, ViewInput, ViewMessage } from "@countersign/plugin";
import { describe, expect, it } from "vitest";
import type { LiveServerMessage } from "../../trusted/contract.ts";
import { LiveRoom } from "./live-room.ts";

function stage() {
  const did: ViewInput[] = [];
  const listeners = new Set<(message: ViewMessage) => void>();
  const view: LiveView = {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    input: async (event) => {
      did.push(event);
    },
  };
  const room = new LiveRoom(view, () => {});
  const open = () => {
    const said: LiveServerMessage[] = [];
    const shown: number[] = [];
    const ended: string[] = [];
    const seat = room.join({
      say: (message) => said.push(message),
      show: ({ id }) => shown.push(id),
      end: () => ended.push("end"),
    });
    return { seat, said, shown, ended, role: () => said.findLast((each) => each.type === "role") };
  };
  const emit = (message: ViewMessage) => {
    for (const listener of listeners) listener(message);
  };
  const frame = (id: number) => emit({ type: "frame", id, width: 1, height: 1, jpeg: new Uint8Array() });
  return { did, room, open, emit, frame, listeners };
}

const key = { type: "text", text: "x" } as const;

describe("U46 one window drives, and the gateway sees to it", () => {
  it("drops everything that a watching window sends", () => {
    const { did, open } = stage();
    const first = open();
    const second = open();
    expect(first.role()).toEqual({ type: "role", role: "driver", driven: true });
    expect(second.role()).toEqual({ type: "role", role: "watcher", driven: true });
    second.seat.hear(key);
    second.seat.hear({ type: "mouse", action: "down", x: 1, y: 1 });
    second.seat.hear({ type: "dialog", accept: true });
    second.seat.hear({ type: "back" });
    second.seat.hear({ type: "ack", id: 1 });
    expect(did).toEqual([]);
    first.seat.hear(key);
    expect(did).toEqual([key]);
  });

  it("hands the wheel over when asked, and only then", () => {
    const { did, open } = stage();
    const first = open();
    const second = open();
    second.seat.hear({ type: "take" });
    expect(second.role()).toMatchObject({ role: "driver" });
    expect(first.role()).toEqual({ type: "role", role: "watcher", driven: true });
    first.seat.hear(key);
    expect(did).toEqual([]);
    second.seat.leave();
    expect(first.role()).toEqual({ type: "role", role: "watcher", driven: false });
    first.seat.hear(key);
    expect(did, "a free seat is taken, not fallen into").toEqual([]);
    first.seat.hear({ type: "take" });
    first.seat.hear(key);
    expect(did).toEqual([key]);
  });

  it("seats who comes next in a free seat, so that a reload goes on driving", () => {
    const { open } = stage();
    const first = open();
    open();
    first.seat.leave();
    expect(open().role()).toMatchObject({ role: "driver" });
  });

  it("lets the driver's eyes set the pace, and a slow watcher miss pictures, never the last one", () => {
    const { did, open, frame } = stage();
    const driver = open();
    const watcher = open();
    for (let id = 1; id <= 6; id++) {
      frame(id);
      driver.seat.hear({ type: "ack", id });
    }
    expect(driver.shown).toEqual([1, 2, 3, 4, 5, 6]);
    expect(did.map((each) => each.type === "ack" && each.id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(watcher.shown).toEqual([1, 2, 3]);
    watcher.seat.hear({ type: "ack", id: 1 });
    expect(watcher.shown).toEqual([1, 2, 3, 6]);
  });

  it("acknowledges what a slow driver never got, so that the stream does not stand still", () => {
    const { did, open, frame } = stage();
    const driver = open();
    for (let id = 1; id <= 5; id++) frame(id);
    expect(did).toEqual([{ type: "ack", id: 4 }]);
    driver.seat.hear({ type: "ack", id: 1 });
    expect(driver.shown).toEqual([1, 2, 3, 5]);
  });

  it("ends with the view, and listens no longer once left", () => {
    const { emit, open, listeners } = stage();
    const one = open();
    emit({ type: "closed", reason: "ended" });
    expect(one.ended).toEqual(["end"]);
    one.seat.leave();
    expect(listeners.size).toBe(0);
  });
});
