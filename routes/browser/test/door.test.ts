import type { RequestPattern } from "@countersign/plugin";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BrowserSession, Page } from "../src/index.ts";
import {
  opened,
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

const COMMIT: RequestPattern = { method: "POST", path: "/api/carts/*/checkout" };
const PATH = "/api/carts/7/checkout";
const PAGE = `<title>shop</title>
<form id=form method=post action="${PATH}"><input name=a value=1></form>
<form id=blank method=post action="${PATH}" target=_blank></form>
<form id=file method=post action="${PATH}" enctype="multipart/form-data"><input name=t value="é"><input type=file name=f></form>
<button onclick="send('click')">Order</button>
<script>
let answers = [];
function send(how) {
  return fetch("${PATH}?" + how, { method: "POST", headers: { "content-type": "application/json" }, body: '{"n":"' + how + '"}' })
    .then(async (r) => answers.push(r.status + " " + (await r.text())), () => answers.push("failed"));
}
function sendFromFrame() {
  const frame = document.createElement("iframe");
  frame.src = "/";
  frame.onload = () => frame.contentWindow.send("frame");
  document.body.append(frame);
}
function sendStubbornly() { return send("again").then(() => { if (answers.at(-1) === "failed" && answers.length < 4) return sendStubbornly(); }); }
</script>`;

let server: TestServer;
let browsers: TestRoute;
let log: TestLog;

beforeAll(async () => {
  browsers = testRoute({ maxSessionsPerPerson: 10 });
  server = await startServer(({ url }, response) => {
    const path = url.split("?")[0] ?? "";
    if (path === "/redirect") return response.writeHead(307, { location: `${PATH}?redirected` }).end();
    if (path.endsWith(".js")) response.setHeader("content-type", "text/javascript");
    if (path === "/worker.js") return response.end(`fetch("${PATH}?worker",{method:"POST"})`);
    if (path === "/shared.js") return response.end(`onconnect=()=>fetch("${PATH}?shared",{method:"POST"})`);
    if (path === "/sw.js") return response.end(`onmessage=()=>fetch("${PATH}?sw",{method:"POST"})`);
    response.end(path === "/thanks" ? "<title>thanks</title>" : PAGE);
  });
});
afterAll(async () => {
  await browsers.stop();
  await server.close();
});
beforeEach(() => {
  server.seen.length = 0;
  log = testLog();
});

function open(person = "ann") {
  return opened(browsers.route, testCtx(person, log), testDestination(server.origin, { commits: [COMMIT] }));
}

const leaked = () => server.seen.filter((each) => each.method === "POST" && each.url.includes("checkout")).length;
/** Whatever was let through has arrived before these have. */
async function settle(page: Page): Promise<void> {
  for (let i = 0; i < 3; i++) await page.evaluate(() => fetch("/settle").catch(() => {})).catch(() => {});
}
const refused = () => log.lines.filter((line) => line.includes("browser.commit_refused")).length;

/** Every way for a page to send the commit by itself. */
const WAYS: readonly (readonly [string, string | (() => unknown)])[] = [
  ["fetch", "send('fetch'); 0"],
  ["encoded path", () => fetch("/api//%63arts/7/checkout", { method: "POST" }).catch(() => {})],
  [
    "XMLHttpRequest",
    () => {
      const request = new XMLHttpRequest();
      request.open("POST", "/api/carts/7/checkout");
      request.send();
    },
  ],
  ["form", () => document.querySelector<HTMLFormElement>("#form")?.submit()],
  ["form in a new window", () => document.querySelector<HTMLFormElement>("#blank")?.submit()],
  ["pop-up", "open('/').addEventListener('load', function () { this.send('popup') }); 0"],
  ["frame", "sendFromFrame()"],
  ["beacon", () => navigator.sendBeacon("/api/carts/7/checkout", "x")],
  ["keepalive", () => fetch("/api/carts/7/checkout", { method: "POST", keepalive: true, body: "x" }).catch(() => {})],
  ["redirect hop (307)", () => fetch("/redirect", { method: "POST", body: "x" }).catch(() => {})],
  ["worker", () => new Worker("/worker.js")],
  ["shared worker", () => new SharedWorker("/shared.js").port.start()],
  [
    "unload",
    () => {
      addEventListener("pagehide", () => {
        navigator.sendBeacon("/api/carts/7/checkout", "x");
        fetch("/api/carts/7/checkout", { method: "POST", keepalive: true, body: "x" }).catch(() => {});
      });
      location.href = "/thanks";
    },
  ],
];

describe("what is not held never leaves", () => {
  it.each(WAYS)("by %s", async (_way, act) => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    await page.evaluate(act).catch(() => {});
    await until(() => refused() > 0);
    await settle(page);
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("by a service worker: none is registered", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const registered = await page.evaluate(async () => {
      await navigator.serviceWorker.register("/sw.js").catch(() => {});
      return (await navigator.serviceWorker.getRegistrations()).length;
    });
    await kept.close();
    expect(registered).toBe(0);
    expect(server.count("GET", "/sw.js")).toBe(0);
  });

  it("by a page that closes", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    await page.evaluate(() => {
      addEventListener("pagehide", () => {
        navigator.sendBeacon("/api/carts/7/checkout", "x");
        fetch("/api/carts/7/checkout", { method: "POST", keepalive: true, body: "x" }).catch(() => {});
      });
    });
    const closed = page.waitForEvent("close");
    await page.close({ runBeforeUnload: true });
    await closed;
    await settle(await session.page("/thanks"));
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("and everything else passes", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    await page.evaluate(() => fetch("/api/carts/7/items", { method: "POST", body: "x" }));
    await page.evaluate(() => fetch("/api/carts/7/8/checkout", { method: "POST", body: "x" }));
    await page.evaluate(() => fetch("/api/carts/7/checkout"));
    await kept.close();
    expect(server.seen.map((each) => `${each.method} ${each.url}`)).toEqual(
      expect.arrayContaining(["POST /api/carts/7/items", "POST /api/carts/7/8/checkout", "GET /api/carts/7/checkout"]),
    );
  });
});

const hold = (session: BrowserSession, act: () => Promise<unknown>) =>
  session.hold(
    async () => {
      await act();
    },
    { pattern: COMMIT, timeoutMs: 5_000 },
  );

describe("what is held", () => {
  it("is held whole, answered once, and everything after it is refused", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    await page.evaluate("document.cookie = 'session=abcdefgh12345'");
    const held = await hold(session, () => page.getByRole("button", { name: "Order" }).click());
    expect(held.request.method).toBe("POST");
    expect(held.request.url).toBe(`${server.origin}${PATH}?click`);
    expect(Buffer.from(held.request.body.reveal()).toString()).toBe('{"n":"click"}');
    const headers = Object.fromEntries(held.request.headers.map(([name, value]) => [name, value.reveal()]));
    expect(headers).toMatchObject({
      cookie: "session=abcdefgh12345",
      origin: server.origin,
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "sec-fetch-mode": "cors",
      "sec-fetch-dest": "empty",
      "accept-encoding": "identity",
      "accept-language": "en-US",
    });
    await held.answer({
      status: 200,
      headers: [
        ["content-type", "application/json"],
        ["content-encoding", "gzip"],
        ["transfer-encoding", "chunked"],
        ["set-cookie", "one=1; HttpOnly; Path=/"],
        ["set-cookie", "two=2; Path=/"],
      ],
      body: Buffer.from('{"order":"é1"}'),
    });
    await until(() => page.evaluate("answers.length === 1") as Promise<boolean>);
    expect(await page.evaluate("answers[0]")).toBe('200 {"order":"é1"}');
    const cookies = await page.context().cookies();
    expect(cookies.map((each) => each.name).sort()).toEqual(["one", "session", "two"]);
    await page.evaluate("send('later')");
    expect(await page.evaluate("answers[1]")).toBe("failed");
    await expect(hold(session, async () => {})).rejects.toThrow("has held a request");
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("is one of two clicks", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const held = await hold(session, () => page.evaluate("send('one'); send('two'); 0"));
    await until(() => refused() === 1);
    await held.answer({ status: 200, headers: [], body: Buffer.from("ok") });
    await until(() => page.evaluate("answers.length === 2") as Promise<boolean>);
    expect(((await page.evaluate("answers")) as string[]).sort()).toEqual(["200 ok", "failed"]);
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("is not sent when abandoned, however often the page tries again", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const held = await hold(session, () => page.evaluate("sendStubbornly(); 0"));
    await held.abandon();
    await until(() => page.evaluate("answers.length === 4") as Promise<boolean>);
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("is not sent when the session closes", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    await hold(session, () => page.evaluate("sendStubbornly(); 0"));
    await kept.close();
    expect(leaked()).toBe(0);
    await expect(session.page("/")).rejects.toMatchObject({ name: "SiteTrouble" });
  });

  it("is not sent when its page closes", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const held = await hold(session, () => page.evaluate("send('x'); 0"));
    await page.close();
    await held.answer({ status: 200, headers: [], body: Buffer.from("late") });
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("stays held while another session opens at another site", async () => {
    const other = await startServer((_request, response) => response.end(PAGE));
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const held = await hold(session, () => page.evaluate("send('x'); 0"));
    const destination = testDestination(other.origin, { commits: [COMMIT] });
    const second = await opened(browsers.route, testCtx("ann", log), destination);
    await (await second.session.page("/")).evaluate("send('y')");
    expect(leaked() + other.count("POST", PATH)).toBe(0);
    await held.answer({ status: 200, headers: [], body: Buffer.from("ok") });
    await until(() => page.evaluate("answers[0] === '200 ok'") as Promise<boolean>);
    await second.open.close();
    await kept.close();
    await other.close();
  });

  it("belongs to the task that asked: two at one site do not take each other's", async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const [first, second] = await Promise.all([one.session.page("/"), two.session.page("/")]);
    const waiting = hold(one.session, async () => {
      // The other task's page comes first, also from a frame of its own.
      await second.evaluate("send('theirs')");
      await first.evaluate("send('mine'); 0");
    });
    expect((await waiting).request.url).toContain("?mine");
    expect(await second.evaluate("answers")).toEqual(["failed"]);
    const theirs = await hold(two.session, () => second.evaluate("send('theirs too'); 0"));
    expect(theirs.request.url).toContain("?theirs");
    await one.open.close();
    await two.open.close();
    expect(leaked()).toBe(0);
  });

  it("comes from a frame or a new window of the same session too", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const held = await hold(session, () => page.evaluate("sendFromFrame()"));
    expect(held.request.url).toContain("?frame");
    await held.abandon();
    const blank = await hold(session, () =>
      page.evaluate(() => document.querySelector<HTMLFormElement>("#blank")?.submit()),
    );
    const names = new Map(blank.request.headers.map(([name, value]) => [name, value.reveal()]));
    expect(names.get("sec-fetch-mode")).toBe("navigate");
    expect(names.get("sec-fetch-site")).toBe("same-origin");
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("leads a form on by its answer: 303 with Set-Cookie is followed by the page", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const held = await hold(session, () =>
      page.evaluate(() => document.querySelector<HTMLFormElement>("#form")?.submit()),
    );
    expect(Buffer.from(held.request.body.reveal()).toString()).toBe("a=1");
    await held.answer({
      status: 303,
      headers: [
        ["location", "/thanks"],
        ["set-cookie", "sid=hidden-value; HttpOnly; Path=/"],
      ],
      body: new Uint8Array(),
    });
    await page.waitForURL("**/thanks");
    expect(server.seen.find((each) => each.url === "/thanks")?.headers.cookie).toBe("sid=hidden-value");
    await page.reload();
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("has its files whole", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const bytes = Buffer.from([0, 255, 13, 10, 0, 128]);
    await page.locator("input[type=file]").setInputFiles({ name: "f.bin", mimeType: "application/x", buffer: bytes });
    const held = await hold(session, () =>
      page.evaluate(() => document.querySelector<HTMLFormElement>("#file")?.submit()),
    );
    const body = Buffer.from(held.request.body.reveal());
    expect(body.includes(bytes)).toBe(true);
    expect(body.includes(Buffer.from("é"))).toBe(true);
    expect(body.toString("latin1").trimEnd().endsWith("--")).toBe(true);
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("is waited for no longer than asked; afterwards the request is refused", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const options = { pattern: COMMIT, timeoutMs: 50 };
    await expect(session.hold(async () => {}, options)).rejects.toMatchObject({ name: "SiteTrouble" });
    await expect(session.hold(() => Promise.reject(new Error("no button")), options)).rejects.toThrow("no button");
    await page.evaluate("send('late')");
    expect(await page.evaluate("answers")).toEqual(["failed"]);
    await kept.close();
    expect(leaked()).toBe(0);
  });

  it("must be one of the destination's commits", async () => {
    const { open: kept, session } = await open();
    const options = { pattern: { method: "POST", path: "/other" } as const, timeoutMs: 50 };
    await expect(session.hold(async () => {}, options)).rejects.toThrow("not among the destination's commits");
    await kept.close();
  });
});

describe("a browser that ends", () => {
  const pidOf = (person: TestLog) =>
    Number(/"event":"browser.started","pid":([0-9]+)/.exec(person.lines.join("\n"))?.[1] ?? "0");

  it("sends nothing it held; open sessions say so, and the next one starts a new browser", async () => {
    const { open: kept, session } = await open("bob");
    const page = await session.page("/");
    const held = await hold(session, () => page.evaluate("sendStubbornly(); 0"));
    const waiting = opened(browsers.route, testCtx("bob", log), testDestination(server.origin, { commits: [COMMIT] }));
    const { session: second } = await waiting;
    const never = second.hold(async () => {}, { pattern: COMMIT, timeoutMs: 20_000 });
    process.kill(pidOf(log), "SIGKILL");
    await expect(never).rejects.toMatchObject({ name: "SiteTrouble" });
    await expect(session.page("/")).rejects.toMatchObject({ name: "SiteTrouble" });
    await held.answer({ status: 200, headers: [], body: new Uint8Array() });
    await kept.close();
    expect(leaked()).toBe(0);
    const again = await open("bob");
    expect(await (await again.session.page("/")).title()).toBe("shop");
    await again.open.close();
  });

  it("is one of each person's own", async () => {
    const logs = [testLog(), testLog()] as const;
    const destination = testDestination(server.origin, { commits: [COMMIT] });
    const carl = await opened(browsers.route, testCtx("carl", logs[0]), destination);
    const dora = await opened(browsers.route, testCtx("dora", logs[1]), destination);
    const pids = logs.map(pidOf);
    expect(new Set(pids).size).toBe(2);
    process.kill(pids[0] ?? 0, "SIGKILL");
    await until(() =>
      carl.session.page().then(
        () => false,
        () => true,
      ),
    );
    expect(await (await dora.session.page("/")).title()).toBe("shop");
    await carl.open.close();
    await dora.open.close();
  });
});
