import type { LiveSignIn, SignInTries, TryKind, ViewInput, ViewMessage, ViewNotice } from "@countersign/plugin";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  FREE_TRIES,
  signingIn,
  startServer,
  type TestRoute,
  type TestServer,
  testCtx,
  testDestination,
  testLog,
  testRoute,
  until,
} from "./kit.ts";

const BUTTON = "style='display:block;width:300px;height:30px;margin:0'";
const PAGES: Readonly<Record<string, string>> = {
  "/form": `<body style=margin:0><form method=post action=/sign-in><input name=email value=a@b.co type=hidden>
    <input name=password type=password autofocus ${BUTTON}><button ${BUTTON}>in</button></form>
    <script>fetch('/told',{method:'POST',body:'form'})</script>`,
  // What leaves names no password; it only contains what stands in the field.
  "/odd": `<body style=margin:0><input id=p type=password autofocus ${BUTTON}><button ${BUTTON}
    onclick="fetch('/sign-in',{method:'POST',body:'x='+encodeURIComponent(document.getElementById('p').value)}).then(r=>r.text()).then(t=>document.title=t)">in</button>
    <button ${BUTTON} onclick="fetch('/told',{method:'POST',body:'just a note'})">note</button>`,
  "/passkey": `<body style=margin:0><button ${BUTTON} onclick="navigator.credentials.get({publicKey:{challenge:new Uint8Array(8)}}).catch(e=>told(e.name))">key</button>
    <script>const told=(body)=>fetch('/told',{method:'POST',body});
    const own=[navigator.credentials.get.name,navigator.credentials.get.length,Object.getOwnPropertyNames(globalThis).filter(n=>/^p[0-9a-f]{32}$/.test(n)).length];
    told('seen '+own.join());</script>`,
  "/captcha": `<body><iframe src="https://challenges.cloudflare.com/turnstile/v0/x"></iframe>`,
  "/code": `<body style=margin:0><input autocomplete=one-time-code id=c ${BUTTON}>
    <button ${BUTTON} onclick="fetch('/sign-in',{method:'POST',body:JSON.stringify({answer:c.value})})">go</button>
    <button ${BUTTON} onclick="fetch('/told',{method:'POST',body:'at '+c.value+'99'})">note</button>`,
  "/link": `<body style=margin:0><a href=/basic ${BUTTON}>in</a>`,
  "/busy": "slow down",
  "/order": `<body style=margin:0><form method=post action=/api/orders><button ${BUTTON}>Place order</button></form>`,
  "/many": `<title>first</title><body style=margin:0><a href=/second target=_blank rel=opener ${BUTTON}>two</a><input id=f ${BUTTON}
    oninput="fetch('/told',{method:'POST',body:'value '+this.value})">`,
  "/second": "<title>second</title>second",
};

let site: TestServer;
let browsers: TestRoute;
let live: LiveSignIn | undefined;
let messages: ViewMessage[] = [];
const told: string[] = [];

beforeAll(async () => {
  site = await startServer(({ url, body }, response) => {
    const path = url.split("?")[0] ?? "";
    if (path === "/told") told.push(body.toString());
    if (path === "/basic") response.writeHead(401, { "www-authenticate": 'Basic realm="x"' });
    if (path === "/busy") response.writeHead(429);
    // As sites do it, the form comes again with the refusal.
    response.end(PAGES[path === "/sign-in" ? "/form" : path] ?? "");
  });
  browsers = testRoute();
});
afterEach(async () => {
  await live?.close();
  live = undefined;
});
afterAll(async () => {
  await browsers.stop();
  await site.close();
});

async function open(path: string, tries: SignInTries = FREE_TRIES): Promise<LiveSignIn> {
  messages = [];
  told.length = 0;
  site.seen.length = 0;
  // A loopback address by this name is a secure context, which passkeys need.
  const origin = site.origin;
  const destination = testDestination(origin, { signInPath: path, commits: [{ method: "POST", path: "/api/orders" }] });
  const opened = await signingIn(browsers.route, testCtx("ann", testLog()), destination, tries);
  live = opened;
  opened.view.subscribe((message) => {
    messages.push(message);
    if (message.type === "frame") void opened.view.input({ type: "ack", id: message.id });
  });
  await until(() => messages.some((each) => each.type === "frame"));
  return opened;
}

const notices = () => messages.filter((each): each is ViewNotice => each.type === "notice");
const notice = (code: ViewNotice["code"]) => until(() => notices().some((each) => each.code === code));
const input = (event: ViewInput) => live?.view.input(event);

async function click(y: number): Promise<void> {
  for (const action of ["move", "down", "up"] as const)
    await input({ type: "mouse", action, x: 20, y, button: "left", clicks: 1 });
}

/** As many as it says, then none. */
function counted(most: number): SignInTries & { taken(): number; kinds(): readonly TryKind[] } {
  const kinds: TryKind[] = [];
  return {
    taken: () => kinds.length,
    kinds: () => kinds,
    take: async (kind) =>
      kinds.push(kind) > most
        ? { kind: "spent", until: "2026-12-01T10:00:00Z" }
        : { kind: "go", left: most - kinds.length },
  };
}

describe("lock-out guard: passwords tried at the site's own page", () => {
  it("are counted before they leave, warned of, and stopped; the site sees none of those that are too many", async () => {
    const tries = counted(2);
    await open("/form", tries);
    await until(() => told.length === 1);
    for (const at of [1, 2, 3]) {
      await click(15);
      await input({ type: "text", text: `wrong-${at}` });
      await input({
        type: "key",
        action: "down",
        key: "Enter",
        code: "Enter",
        shift: false,
        ctrl: false,
        alt: false,
        meta: false,
      });
      await until(() => tries.taken() === at);
      if (at < 3) await until(() => told.filter((each) => each === "form").length === at + 1);
    }
    await notice("tries_spent");
    expect(notices().map(({ code }) => code)).toEqual(["last_try", "tries_spent"]);
    expect(notices().at(-1)?.at).toBe("2026-12-01T10:00:00Z");
    expect(site.count("POST", "/sign-in")).toBe(2);
    expect(messages.findLast((each) => each.type === "location")?.path, "the form stays").toBe("/sign-in");
  });

  it("are known by what stands in the field, whatever the page calls it; other requests leave uncounted", async () => {
    const tries = counted(1);
    await open("/odd", tries);
    await click(75);
    await until(() => told.includes("just a note"));
    expect(tries.taken()).toBe(0);
    await click(15);
    await input({ type: "text", text: "p&ss wörd" });
    await click(75);
    await until(() => told.length === 2);
    expect(tries.taken(), "a note that does not carry it").toBe(0);
    await click(45);
    await until(() => site.count("POST", "/sign-in") === 1);
    await click(45);
    await notice("tries_spent");
    expect(site.count("POST", "/sign-in")).toBe(1);
    expect(tries.kinds()).toEqual(["password", "password"]);
  });

  it("one-time codes are counted by themselves; a longer number that holds one is none", async () => {
    const tries = counted(1);
    await open("/code", tries);
    await click(15);
    await input({ type: "text", text: "123456" });
    await click(75);
    await until(() => told.includes("at 12345699"));
    expect(tries.taken()).toBe(0);
    await click(45);
    await until(() => site.count("POST", "/sign-in") === 1);
    await click(45);
    await notice("tries_spent");
    expect(site.count("POST", "/sign-in")).toBe(1);
    expect(tries.kinds()).toEqual(["code", "code"]);
  });
});

describe("what a person is told of", () => {
  it("a passkey: the page hears that it was closed, and finds no trace of a gateway", async () => {
    await open("/passkey");
    await until(() => told.length === 1);
    expect(told[0]).toBe("seen get,1,0");
    await click(15);
    await notice("passkey");
    await until(() => told.includes("NotAllowedError"));
  });

  it("MFA-5 a CAPTCHA from a host that is not reached here", async () => {
    await open("/captcha");
    await notice("captcha_refused");
    expect(notices().find(({ code }) => code === "captcha_refused")?.host).toBe("challenges.cloudflare.com");
  });

  it("a site that is asked too often, also in a window that comes later", async () => {
    const { view } = await open("/busy");
    await notice("too_often");
    const later: ViewMessage[] = [];
    view.subscribe((message) => later.push(message))();
    expect(later.map((each) => each.type)).toEqual(["location", "notice"]);
    expect(messages.findLast((each) => each.type === "location" || each.type === "notice")?.type).toBe("notice");
  });

  it("a window of the browser's own that asks for a password", async () => {
    await open("/link");
    await click(15);
    await notice("password_window");
  });

  it("APR-5 the site's own order button: nothing leaves, and the person hears why", async () => {
    await open("/order");
    await click(15);
    await notice("commit_refused");
    expect(site.count("POST", "/api/orders")).toBe(0);
    expect(notices().map(({ code }) => code)).toEqual(["commit_refused"]);
  });
});

describe("several pages", () => {
  it("are listed, shown and closed by number, and the list ends with the last but one", async () => {
    await open("/many");
    await click(15);
    const tabs = () => messages.findLast((each) => each.type === "tabs")?.tabs ?? [];
    await until(() => tabs().length === 2 && tabs()[1]?.title === "second" && tabs()[1]?.shown === true);
    expect(tabs().map(({ title, origin, shown }) => [title, origin, shown])).toEqual([
      ["first", site.origin, false],
      ["second", site.origin, true],
    ]);
    const [first, second] = tabs();
    await input({ type: "tab", id: first?.id ?? 0, action: "show" });
    await until(() => messages.findLast((each) => each.type === "location")?.path === "/many");
    await input({ type: "tab", id: second?.id ?? 0, action: "close" });
    await until(() => tabs().length === 0);
    await input({ type: "tab", id: first?.id ?? 0, action: "close" });
    await click(45);
    await input({ type: "text", text: "still here" });
    await until(() => told.includes("value still here"));
  });

  it("U46 composed text is seen while it is composed, and is there once", async () => {
    await open("/many");
    await click(45);
    for (const text of ["に", "にほ", "にほん"]) await input({ type: "compose", text });
    await until(() => told.includes("value にほん"));
    await input({ type: "text", text: "日本" });
    await input({ type: "compose", text: "x" });
    await input({ type: "compose", text: "" });
    await input({ type: "text", text: "🦊" });
    await until(() => told.at(-1) === "value 日本🦊");
  });
});
