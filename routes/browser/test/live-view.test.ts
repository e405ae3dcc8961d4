import type { LiveSignIn, ViewInput, ViewMessage } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  FREE_TRIES,
  opened,
  signingIn,
  startServer,
  type TestLog,
  type TestRoute,
  type TestServer,
  testCtx,
  testDestination,
  testLog,
  testRoute,
  until,
} from "./kit.ts";

// Each change of a field is told to the server, so that the tests read the page's value without touching the page.
const REPORT = `<script>
const tell = (what) => fetch("/told", { method: "POST", body: JSON.stringify(what) });
addEventListener("input", (e) => tell({ id: e.target.id, value: e.target.value }), true);
addEventListener("load", () => tell({ id: "page", value: "loaded" }));
</script>`;
const FORM = `<title>sign in</title><style>*{margin:0;font-size:16px} input,button,select{display:block;height:30px;width:300px}</style>
<input id=name autofocus><input id=date type=date>
<div id=boxes><input maxlength=1 id=b1><input maxlength=1 id=b2><input maxlength=1 id=b3></div>
<select id=choice><option>one<option>two<option>three</select>
<button id=ask onclick="tell({ id: 'ask', value: String(confirm('Really?')) })">ask</button>
<a id=pop href=/popup target=_blank rel=opener style="display:block;height:30px">new window</a>
<input id=file type=file>
<a id=away href=AWAY style="display:block;height:30px">away</a>
<script>for (const [i, b] of [...document.querySelectorAll("#boxes input")].entries()) b.oninput = () => document.querySelectorAll("#boxes input")[i + 1]?.focus();</script>`;
/** The middle of each row of the form, 30 pixels high. */
const ROW = { name: 15, date: 45, b1: 75, choice: 165, ask: 195, pop: 225, file: 255, away: 285 } as const;

let site: TestServer;
let stranger: TestServer;
let browsers: TestRoute;
let log: TestLog;
let live: LiveSignIn;
let messages: ViewMessage[];
const told: { id: string; value: string }[] = [];

beforeAll(async () => {
  stranger = await startServer((_request, response) => response.end("stranger"));
  site = await startServer(({ url, body }, response) => {
    if (url === "/told") {
      told.push(JSON.parse(body.toString()));
      return response.end();
    }
    if (url === "/enter") response.setHeader("set-cookie", "sid=hidden-session-1; HttpOnly; Path=/");
    if (url === "/popup")
      return response.end(
        "<title>popup</title><button onclick=window.close() style='width:300px;height:60px'>done</button>",
      );
    response.end(REPORT + FORM.replace("AWAY", `${stranger.origin}/there`));
  });
  browsers = testRoute();
});
afterAll(async () => {
  await browsers.stop();
  await site.close();
  await stranger.close();
});

const destination = () =>
  testDestination(site.origin, {
    signInPath: "/sign-in?next=%2F",
    identify: async (session) => {
      const page = await session.page("/account");
      const cookies = await page.context().cookies();
      return cookies.some((each) => each.name === "sid") ? { name: "Ann", details: [] } : undefined;
    },
  });

beforeEach(async () => {
  log = testLog();
  told.length = 0;
  messages = [];
  live = await signingIn(browsers.route, testCtx("ann", log), destination());
  live.view.subscribe((message) => {
    messages.push(message);
    if (message.type === "frame") void live.view.input({ type: "ack", id: message.id });
  });
  await until(() => messages.some((each) => each.type === "frame") && value("page") === "loaded");
});
afterEach(() => live.close());

const all = <T extends ViewMessage["type"]>(type: T) =>
  messages.filter((each): each is Extract<ViewMessage, { type: T }> => each.type === type);
const input = (event: ViewInput) => live.view.input(event);
const value = (id: string) => told.findLast((each) => each.id === id)?.value;

async function click(row: keyof typeof ROW): Promise<void> {
  const at = { type: "mouse", x: 20, y: ROW[row] } as const;
  await input({ ...at, action: "move" });
  await input({ ...at, action: "down", button: "left", clicks: 1 });
  await input({ ...at, action: "up", button: "left", clicks: 1 });
}

async function press(key: string, code: string, more: object = {}): Promise<void> {
  const base = { type: "key", key, code, shift: false, ctrl: false, alt: false, meta: false, ...more } as const;
  await input({ ...base, action: "down" });
  await input({ ...base, action: "up" });
}

describe("MFA-2 U46 what a person types arrives as typed", () => {
  it("a.b@c-d.co", async () => {
    const codes: Record<string, string> = { ".": "Period", "@": "Digit2", "-": "Minus" };
    await click("name");
    for (const key of "a.b@c-d.co") await press(key, codes[key] ?? `Key${key.toUpperCase()}`, { shift: key === "@" });
    await until(() => value("name") === "a.b@c-d.co");
  });

  it("AltGr, capitals, dead keys, backspace, select all", async () => {
    await click("name");
    await press("€", "KeyE", { ctrl: true, alt: true });
    await press("@", "KeyL", { alt: true });
    await press("Dead", "Equal");
    await input({ type: "text", text: "é" });
    await press("Q", "KeyQ", { shift: true });
    await until(() => value("name") === "€@éQ");
    await press("Backspace", "Backspace");
    await until(() => value("name") === "€@é");
    await press("a", "KeyA", { meta: true });
    await press("x", "KeyX");
    await until(() => value("name") === "x");
  });

  it("a pasted code of 20 digits, and one that goes over single boxes", async () => {
    await click("name");
    await input({ type: "text", text: "12345678901234567890" });
    await until(() => value("name") === "12345678901234567890");
    await click("b1");
    await input({ type: "text", text: "739" });
    await until(() => value("b1") === "7" && value("b2") === "3" && value("b3") === "9");
  });

  it("a date by its digits", async () => {
    await click("date");
    await input({ type: "text", text: "12/31/2026" });
    await until(() => value("date") === "2026-12-31");
  });

  it("a choice from a list that is drawn in the page", async () => {
    await click("choice");
    await press("ArrowDown", "ArrowDown");
    await press("Enter", "Enter");
    await until(() => value("choice") === "two");
  });

  it("AUT-4 and is in no log line and no message", async () => {
    await click("name");
    for (const key of "canary7") await press(key, key === "7" ? "Digit7" : `Key${key.toUpperCase()}`);
    await input({ type: "text", text: "-pasted-canary" });
    await until(() => value("name") === "canary7-pasted-canary");
    await live.verify();
    await live.close();
    expect(log.lines.length).toBeGreaterThan(0);
    expect(log.lines.join("\n")).not.toMatch(/canary/);
    expect(JSON.stringify(messages.filter((each) => each.type !== "frame"))).not.toMatch(/canary/);
  });
});

describe("the picture", () => {
  it("is sharp, in CSS pixels, and follows a new size", async () => {
    const frame = all("frame").at(-1);
    assert(frame, "a frame");
    expect([frame.width, frame.height]).toEqual([1280, 800]);
    expect(jpegWidth(frame.jpeg)).toBe(2560);
    await input({ type: "resize", width: 360, height: 640 });
    await until(() => all("frame").at(-1)?.width === 360);
    await input({ type: "resize", width: 1, height: 99_999 });
    await until(() => all("frame").at(-1)?.width === 280 && all("frame").at(-1)?.height === 1600);
  });

  it("waits for acknowledgements, and comes again for a new viewer", async () => {
    await live.close();
    told.length = 0;
    live = await signingIn(browsers.route, testCtx("ann", log), destination());
    const unacked: number[] = [];
    live.view.subscribe((message) => message.type === "frame" && unacked.push(message.id));
    await until(() => unacked.length > 0 && value("page") === "loaded");
    await click("name");
    for (const key of "abcdefgh") await press(key, `Key${key.toUpperCase()}`);
    await until(() => value("name") === "abcdefgh");
    expect(unacked.length).toBeLessThanOrEqual(8);
    const second: ViewMessage[] = [];
    live.view.subscribe((message) => second.push(message));
    await until(() => second.some((each) => each.type === "frame"));
    expect(second[0]).toMatchObject({ type: "location", origin: site.origin, path: "/sign-in", trusted: true });
  });
});

describe("what is not in the picture", () => {
  it("tells where the page is, without query, and whether that is the site", async () => {
    expect(all("location").at(-1)).toEqual({ type: "location", origin: site.origin, path: "/sign-in", trusted: true });
    await click("away");
    await until(() => all("location").at(-1)?.trusted === false);
    expect(all("location").at(-1)?.origin).toBe(stranger.origin);
    expect(stranger.seen).toEqual([]);
    await input({ type: "back" });
    await until(() => all("location").at(-1)?.trusted === true);
  });

  it.each(["accept", "dismiss"] as const)("asks the page's question: %s", async (how) => {
    await click("ask");
    await until(() => all("dialog").length > 0);
    expect(all("dialog")[0]).toEqual({ type: "dialog", kind: "confirm", text: "Really?" });
    await input({ type: "dialog", accept: how === "accept" });
    await until(() => value("ask") === String(how === "accept"));
  });

  it("follows a new window and comes back", async () => {
    await click("pop");
    await until(() => all("location").at(-1)?.path === "/popup");
    const shown = messages.findIndex((each) => each.type === "location" && each.path === "/popup");
    await until(() => messages.slice(shown).some((each) => each.type === "frame"));
    const at = { type: "mouse", x: 20, y: 20, button: "left", clicks: 1 } as const;
    await input({ ...at, action: "down" });
    await input({ ...at, action: "up" });
    await until(() => all("location").at(-1)?.path === "/sign-in");
    await click("name");
    await press("z", "KeyZ");
    await until(() => value("name") === "z");
  });

  it("refuses to choose a file and says so", async () => {
    await click("file");
    await until(() => all("notice").some((each) => each.code === "file_refused"));
  });
});

describe("verify", () => {
  it("looks at the site itself in a page the person does not see", async () => {
    expect(await live.verify()).toEqual({ ok: false, reason: "not_signed_in" });
    const paths = () => all("location").map((each) => each.path);
    expect(paths()).not.toContain("/account");
    await live.close();
    live = await signingIn(browsers.route, testCtx("ann", log), { ...destination(), entry: entryAt("/enter") });
    const result = await live.verify();
    assert(result.ok, "signed in");
    expect(result.value.identity.name).toBe("Ann");
    expect(JSON.stringify(result)).not.toContain("hidden-session");
    const again = await opened(browsers.route, testCtx("ann", log), destination(), result.value.material);
    site.seen.length = 0;
    await again.session.page("/");
    expect(site.seen[0]?.headers.cookie).toBe("sid=hidden-session-1");
    await again.open.close();
  });

  it("says that a site which is not there is not there", async () => {
    const gone = await startServer((_request, response) => response.end());
    const nowhere = testDestination(gone.origin);
    await gone.close();
    const dead = await browsers.route.beginSignIn(testCtx("ann", log), nowhere, FREE_TRIES);
    if (dead.ok) await dead.value.close();
    expect(dead).toEqual({ ok: false, reason: "site_unavailable" });
  });

  it("ends the view when the browser ends", async () => {
    const pid = Number(/"pid":([0-9]+)/.exec(firstLog)?.[1] ?? "0");
    assert(pid > 0, "the browser's process");
    process.kill(pid, "SIGKILL");
    await until(() => all("closed").length === 1);
    expect(await live.verify()).toEqual({ ok: false, reason: "site_unavailable" });
  });
});

let firstLog = "";
beforeEach(() => {
  const line = log.lines.find((each) => each.includes("browser.started"));
  if (line) firstLog = line;
});

function entryAt(path: string) {
  return { ...destination().entry, signIn: { path } };
}

/** Width out of the start-of-frame marker (ITU T.81 B.2.2). */
function jpegWidth(jpeg: Uint8Array): number {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  for (let at = 2; at + 9 < jpeg.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xc2) return view.getUint16(at + 7);
  }
  return 0;
}
