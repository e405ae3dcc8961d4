import type { RequestPattern } from "@countersign/plugin";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BrowserSession, type Frame, followIn, frameIn, type Page } from "../src/index.ts";
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

// A form that stands in a frame of another origin's. `another port` is another origin of the same site and lives in the
// page's own process; `another site` has a process of its own, and frames in it a tree of their own.

const COMMIT: RequestPattern = { method: "POST", path: "/case/*/send" };
const FORM = `<!doctype html><title>form</title><h1>Claim</h1>
<form method="post" action="/case/7/send"><label>Amount<input name="amount" value="12"></label><button>Send</button></form>
<a href="/next">Next</a>
<script>
const post = (how) => fetch("/case/7/send?" + how, { method: "POST", body: how }).catch(() => {});
function fromWithin() {
  const inner = document.createElement("iframe");
  inner.src = "/";
  inner.onload = () => { inner.onload = null; inner.contentDocument.querySelector("form").submit(); };
  document.body.append(inner);
}
</script>`;

let portal: TestServer;
let company: TestServer;
let browsers: TestRoute;
let log: TestLog;

beforeAll(async () => {
  browsers = testRoute({ maxSessionsPerPerson: 10 });
  company = await startServer(({ url }, response) => {
    response.end(url.startsWith("/next") || url.startsWith("/sent") ? "<h1>There</h1>" : FORM);
  });
  portal = await startServer(({ url }, response) => {
    const framed = decodeURIComponent(url.split("?at=")[1] ?? "");
    response.end(`<!doctype html><title>portal</title><iframe title="Claim form" src="${framed}/"></iframe>
<form id="into" method="post" action="${framed}/case/7/send" target="named"></form><iframe name="named"></iframe>`);
  });
});
afterAll(async () => {
  await browsers.stop();
  await portal.close();
  await company.close();
});
beforeEach(() => {
  company.seen.length = 0;
  log = testLog();
});

const PLACES = ["another port", "another site"] as const;
const originOf = (place: (typeof PLACES)[number]) =>
  place === "another port" ? company.origin : `http://claims.test:${company.port}`;
const posted = () => company.seen.filter(({ method }) => method === "POST").length;
const refused = () => log.lines.filter((line) => line.includes("browser.commit_refused")).length;

async function open(place: (typeof PLACES)[number]) {
  const origin = originOf(place);
  const destination = testDestination(portal.origin, { commits: [COMMIT], alsoOrigins: [origin] });
  const { open: kept, session } = await opened(browsers.route, testCtx("ann", log), destination);
  const page = await session.page(`/?at=${encodeURIComponent(origin)}`);
  return { kept, session, page, origin, frame: await frameIn(page, "Claim form") };
}

const hold = (session: BrowserSession, origin: string, act: () => Promise<unknown>) =>
  session.hold(
    async () => {
      await act();
    },
    { pattern: COMMIT, timeoutMs: 5_000, origin },
  );

const send = (frame: Frame) => frame.getByRole("button", { name: "Send", exact: true }).click({ noWaitAfter: true });

const WAYS: readonly (readonly [string, (frame: Frame, page: Page) => Promise<unknown>])[] = [
  ["its button", send],
  ["a script", (frame) => frame.evaluate("post('script')")],
  ["a beacon", (frame) => frame.evaluate(() => navigator.sendBeacon("/case/7/send", "x"))],
  ["a frame in it", (frame) => frame.evaluate("fromWithin()")],
  ["a form of the page around it", (_, page) => page.evaluate("document.querySelector('#into').submit()")],
];

describe.each(PLACES)("APR-5 a form in a frame of another origin, on %s", (place) => {
  it("sends nothing that commits by itself: not by a button, a script, a frame in it or the page around it", async () => {
    const { kept, page, frame } = await open(place);
    for (const [way, act] of WAYS) {
      const before = refused();
      await act(frame, page).catch(() => {});
      await until(() => refused() > before);
      expect(posted(), way).toBe(0);
    }
    // The frame stands as it stood: nothing that was typed is lost.
    expect(await frame.getByRole("heading", { name: "Claim", exact: true }).count()).toBe(1);
    await kept.close();
    expect(posted()).toBe(0);
  });

  it("is looked through by role and text, and its commit is held whole, as a frame's", async () => {
    const { kept, session, frame, origin } = await open(place);
    await frame.getByLabel("Amount").fill("840");
    const held = await hold(session, origin, () => send(frame));
    expect(held.request.url).toBe(`${origin}/case/7/send`);
    expect(new TextDecoder().decode(held.request.body.reveal())).toBe("amount=840");
    const headers = Object.fromEntries(held.request.headers.map(([name, value]) => [name, value.reveal()]));
    expect(headers).toMatchObject({
      origin,
      "sec-fetch-site": "same-origin",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "iframe",
    });
    await held.answer({ status: 303, headers: [["location", "/sent"]], body: new Uint8Array() });
    await until(async () => (await frame.getByRole("heading", { name: "There" }).count()) === 1);
    await kept.close();
    expect(posted()).toBe(0);
  });

  it("is held from a frame in it too", async () => {
    const { kept, session, frame, origin } = await open(place);
    const held = await hold(session, origin, () => frame.evaluate("fromWithin()"));
    expect(held.request.url).toBe(`${origin}/case/7/send`);
    await held.abandon();
    await kept.close();
    expect(posted()).toBe(0);
  });
});

describe("which origin a commit is held at", () => {
  it("is the one that was asked for: the same request to another of the destination's is refused", async () => {
    const { kept, session, frame } = await open("another port");
    const waiting = session.hold(() => send(frame), { pattern: COMMIT, timeoutMs: 500 });
    await expect(waiting).rejects.toThrow("no committing request");
    expect(refused()).toBe(1);
    await expect(hold(session, "http://elsewhere.test", async () => {})).rejects.toThrow("not an origin");
    await kept.close();
    expect(posted()).toBe(0);
  });

  it("and a frame goes on as a page does", async () => {
    const { kept, frame, page } = await open("another site");
    await followIn(frame, () => frame.getByRole("link", { name: "Next" }).click());
    expect(await frame.getByRole("heading", { name: "There" }).count()).toBe(1);
    await expect(frameIn(page, "Another form")).rejects.toThrow("does not hold its one frame");
    await kept.close();
  });
});
