import { assert } from "@countersign/wire";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openBrowserWorld } from "./support/browser-world.ts";
import { until } from "./support/http.ts";
import { leaks } from "./support/leaks.ts";
import { LiveWindow } from "./support/live.ts";
import { Person } from "./support/person.ts";
import { inStore, type World } from "./support/world.ts";

/** A real browser on a busy machine. */
const TEST_MS = 180_000;
const HOUR_MS = 3_600_000;

let world: World;
let person: Person;
let windows: LiveWindow[] = [];

beforeAll(async () => {
  world = await openBrowserWorld();
}, TEST_MS);
afterAll(() => world?.close());
beforeEach(async () => {
  world.shop.control.reset();
  world.advance(HOUR_MS + 1);
  person = await Person.signIn(world);
});
afterEach(() => {
  for (const window of windows) window.close();
  windows = [];
});

async function begin(): Promise<string> {
  const begun = await person.post("/connections", { destination: "practice-shop", route: "browser" });
  const ref = String(begun.json["continuation_ref"]);
  const live = await person.post(`/continuations/${ref}/begin`);
  assert(live.status === 200, `the live view begins: ${live.text}`);
  return ref;
}

async function open(ref: string): Promise<LiveWindow> {
  const window = await LiveWindow.open(person, ref);
  windows.push(window);
  return window;
}

const posted = () =>
  world.shop.control.requests().filter(({ method, path }) => method === "POST" && path === "/sign-in");

it(
  "U46 a second window of the same session watches: what it sends straight to the socket is ignored until it takes over",
  async () => {
    const ref = await begin();
    const driver = await open(ref);
    await driver.hears({ type: "role", role: "driver", driven: true });
    await driver.shows("/sign-in");
    const watcher = await open(ref);
    await watcher.hears({ type: "role", role: "watcher", driven: true });
    await watcher.shows("/sign-in");
    const { email, password } = world.shop.user;
    driver.type(email);
    driver.press("Tab");
    watcher.type("canary-of-a-watcher");
    watcher.send({ type: "text", text: "pasted" });
    watcher.send({ type: "mouse", action: "down", x: 10, y: 10, button: "left", clicks: 1 });
    watcher.send({ type: "reload" });
    watcher.send({ type: "resize", width: 300, height: 300 });
    driver.type(password);
    driver.press("Enter");
    await driver.shows("/sign-in/verify");
    expect(posted(), "the shop took what the driver typed, and nothing else").toHaveLength(1);
    expect(world.shop.control.counters().signInFailures).toBe(0);

    watcher.send({ type: "take" });
    await watcher.hears({ type: "role", role: "driver" });
    await driver.hears({ type: "role", role: "watcher" });
    driver.type("000000");
    watcher.type(world.shop.currentCode());
    watcher.press("Enter");
    await watcher.shows("/account");
    const done = await person.post(`/continuations/${ref}/complete`);
    expect(done.json["outcome"]).toBe("connected");
    expect([await driver.ended, await watcher.ended]).toEqual([4004, 4004]);
    const places = new Map([["the log", world.logLines.join("\n")]]);
    expect(leaks({ typed: "canary-of-a-watcher", password }, places), "at debug level").toEqual([]);
  },
  TEST_MS,
);

it(
  "U42 signing out everywhere ends the live view at once, and what was open in it is gone",
  async () => {
    const ref = await begin();
    const first = await open(ref);
    const second = await open(ref);
    await first.shows("/sign-in");
    await inStore(world.gateway, (db) =>
      db.deleteFrom("person_session").where("person_id", "=", world.gateway.owner.personId).execute(),
    );
    expect([await first.ended, await second.ended]).toEqual([4003, 4003]);
    first.type("too late");
    await expect(LiveWindow.open(person, ref)).rejects.toThrow();
    const again = await Person.signIn(world);
    await expect(LiveWindow.open(again, ref)).rejects.toThrow();
    await until(
      async () => world.logLines.filter((line) => line.includes("live.input_failed")).length,
      (count) => count === 0,
      "nothing was driven any more",
    );
  },
  TEST_MS,
);

it(
  "lock-out guard: in the live view the last password is warned of, and one more does not reach the site",
  async () => {
    const ref = await begin();
    const window = await open(ref);
    for (const at of [1, 2, 3, 4, 5]) {
      await window.shows("/sign-in");
      window.send({
        type: "key",
        action: "down",
        key: "a",
        code: "KeyA",
        shift: false,
        ctrl: true,
        alt: false,
        meta: false,
      });
      window.type(world.shop.user.email);
      window.press("Tab");
      window.type(`wrong-${at}`);
      window.press("Enter");
      if (at <= 4)
        await until(
          async () => posted().length,
          (count) => count === at,
          `try ${at}`,
          60_000,
        );
      if (at === 3) await window.hears({ type: "notice", code: "last_try" });
    }
    await window.hears({ type: "notice", code: "tries_spent" });
    expect(posted()).toHaveLength(4);
    expect(world.shop.control.counters().signInFailures).toBe(4);
    expect((await person.get(`/continuations/${ref}`)).json["tries"]).toMatchObject({ left: 0 });
  },
  TEST_MS,
);
