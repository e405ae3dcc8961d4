import { createSocket } from "node:dgram";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { err, ok, secret } from "@countersign/wire";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemTimers } from "../src/index.ts";
import {
  FREE_TRIES,
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

let site: TestServer;
let friend: TestServer;
let stranger: TestServer;
let browsers: TestRoute;
let log: TestLog;

beforeAll(async () => {
  site = await startServer(({ url }, response) => {
    if (url.startsWith("/away")) return response.writeHead(302, { location: `${stranger.origin}/redirected` }).end();
    if (url === "/busy") return response.writeHead(429).end("slow down");
    if (url === "/sign-in")
      response.setHeader("set-cookie", ["sid=hidden-session-1; HttpOnly; Path=/", "lang=en; Path=/"]);
    if (url === "/slide") response.setHeader("set-cookie", "sid=hidden-session-1; HttpOnly; Path=/; Max-Age=86400");
    response.end("<title>site</title>");
  });
  friend = await startServer((_request, response) =>
    response.setHeader("access-control-allow-origin", "*").end("friend"),
  );
  stranger = await startServer((_request, response) =>
    response.setHeader("access-control-allow-origin", "*").end("stranger"),
  );
  browsers = testRoute();
});
afterAll(async () => {
  await browsers.stop();
  await Promise.all([site, friend, stranger].map((each) => each.close()));
});
beforeEach(() => {
  log = testLog();
  for (const each of [site, friend, stranger]) each.seen.length = 0;
});

const destination = () => testDestination(site.origin, { alsoOrigins: [friend.origin] });
const open = () => opened(browsers.route, testCtx("ann", log), destination());

describe("U51 the allow-list", () => {
  it("lets the site and its friends through, over HTTP and WebSocket, and nothing else", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const reach = (url: string) =>
      page.evaluate(
        (to) =>
          fetch(to).then(
            (r) => r.text(),
            () => "failed",
          ),
        url,
      );
    const socket = (url: string) =>
      page.evaluate(
        (to) =>
          new Promise((resolve) => {
            const ws = new WebSocket(to);
            ws.onopen = () => resolve("open");
            ws.onerror = () => resolve("failed");
          }),
        url,
      );
    expect(await reach(`${friend.origin}/x`)).toBe("friend");
    await socket(`ws://127.0.0.1:${site.port}/ws`);
    expect(site.count("UPGRADE", "/ws")).toBe(1);

    expect(await reach(`${stranger.origin}/x`)).not.toBe("stranger");
    expect(await reach(`http://localhost:${stranger.port}/x`)).not.toBe("stranger");
    expect(await reach(`http://localhost:${site.port}/x`)).not.toContain("site");
    expect(await reach("http://stranger.example/x")).not.toBe("stranger");
    expect(await reach("https://stranger.example/x")).toBe("failed");
    expect(await socket(`ws://127.0.0.1:${stranger.port}/ws`)).toBe("failed");
    expect(await reach("/away")).not.toBe("stranger");
    await page.evaluate((to) => navigator.sendBeacon(to, "x"), `${stranger.origin}/beacon`);
    await page.evaluate((to) => window.open(to), `${stranger.origin}/popup`);
    const response = await page.goto(`${stranger.origin}/go`);
    expect(response?.status()).toBe(403);
    await kept.close();
    expect(stranger.seen).toEqual([]);
    expect(log.lines.join("\n")).toContain('"host":"stranger.example"');
    expect(log.lines.join("\n")).not.toContain("/beacon");
  });

  it("asks no name server but the gateway's resolver, and that only for allowed places", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    await page.evaluate(() => {
      for (const rel of ["dns-prefetch", "preconnect", "prefetch", "prerender"]) {
        const link = document.createElement("link");
        link.rel = rel;
        link.href = "https://leak.example/";
        document.head.append(link);
      }
      return fetch("https://leak.example/").catch(() => {});
    });
    await kept.close();
    expect([...new Set(browsers.asked)].sort()).toEqual(expect.arrayContaining([`127.0.0.1:${site.port}`]));
    expect(browsers.asked.filter((each) => !each.startsWith("127.0.0.1:"))).toEqual([]);
  });

  it("sends no UDP for WebRTC", async () => {
    const udp = createSocket("udp4");
    await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
    let packets = 0;
    udp.on("message", () => packets++);
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const candidates = await page.evaluate(async (port) => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] });
      const found: string[] = [];
      peer.onicecandidate = (event) => event.candidate && found.push(event.candidate.candidate);
      peer.createDataChannel("x");
      await peer.setLocalDescription(await peer.createOffer());
      await new Promise((resolve) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && resolve(0);
        setTimeout(resolve, 1_500);
      });
      return found.filter((each) => / udp /i.test(each));
    }, udp.address().port);
    await kept.close();
    udp.close();
    expect(candidates).toEqual([]);
    expect(packets).toBe(0);
  });

  it("reaches a place only at the address the gateway pins", async () => {
    const refusing = testRoute({ resolve: async () => err("address_refused") });
    const { open: kept, session } = await opened(refusing.route, testCtx("ann", log), destination());
    await (await session.page()).goto(site.origin).catch(() => {});
    await kept.close();
    await refusing.stop();
    const pinned = testRoute({
      resolve: async (host) => (host === "shop.example" ? ok({ address: "127.0.0.1", family: 4 }) : err("not_found")),
    });
    const named = testDestination(`http://shop.example:${site.port}`);
    const second = await opened(pinned.route, testCtx("ann", log), named);
    expect(site.seen).toEqual([]);
    expect(await (await second.session.page("/")).title()).toBe("site");
    await second.open.close();
    await pinned.stop();
  });
});

describe("U45 a session's state", () => {
  it("goes round: hidden cookies, local storage, IndexedDB; and is new only when something changed", async () => {
    const first = await open();
    const page = await first.session.page("/sign-in");
    await page.evaluate(async () => {
      localStorage.setItem("token", "tok-abcdefghijklmnop-123");
      await new Promise((resolve) => {
        const request = indexedDB.open("db", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("s");
        request.onsuccess = () => {
          const change = request.result.transaction("s", "readwrite");
          change.objectStore("s").put({ at: new Date(0), bytes: new Uint8Array([1, 2]) }, "k");
          change.oncomplete = resolve;
        };
      });
    });
    const material = await first.open.material();
    expect(material?.reveal()).toContain("hidden-session-1");
    const secrets = (await first.open.secrets()).map((each) => each.reveal());
    expect(secrets).toEqual(expect.arrayContaining(["hidden-session-1", "tok-abcdefghijklmnop-123"]));
    expect(secrets).not.toContain("en");
    await first.open.close();

    const second = await opened(browsers.route, testCtx("ann", log), destination(), material);
    site.seen.length = 0;
    const back = await second.session.page("/");
    expect(site.seen[0]?.headers.cookie).toContain("sid=hidden-session-1");
    const kept = await back.evaluate(
      () =>
        new Promise((resolve) => {
          const request = indexedDB.open("db");
          request.onsuccess = () => {
            const get = request.result.transaction("s").objectStore("s").get("k");
            get.onsuccess = () =>
              resolve([localStorage.getItem("token"), get.result.at instanceof Date, [...get.result.bytes]]);
          };
        }),
    );
    expect(kept).toEqual(["tok-abcdefghijklmnop-123", true, [1, 2]]);
    expect(await second.open.material()).toBeUndefined();
    await second.session.page("/slide");
    expect(await second.open.material()).toBeDefined();
    await second.open.close();
    expect(log.lines.join("\n")).not.toMatch(/hidden-session|tok-abc/);
  });

  it("is not shared by two tasks, and not guessed when unreadable", async () => {
    const first = await open();
    await first.session.page("/sign-in");
    const second = await open();
    site.seen.length = 0;
    await second.session.page("/");
    expect(site.seen[0]?.headers.cookie).toBeUndefined();
    await first.open.close();
    await second.open.close();
    const old = await browsers.route.open(testCtx("ann", log), destination(), secret('{"v":0}'));
    expect(old).toEqual(err("sign_in"));
  });
});

describe("the rest of a session", () => {
  it("notices that the site says to slow down", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    expect(session.seen429()).toBe(false);
    await page.evaluate(() => fetch("/busy"));
    await until(() => session.seen429());
    await kept.close();
  });

  it("keeps permissions and paths of other origins away", async () => {
    const { open: kept, session } = await open();
    const page = await session.page("/");
    const states = await page.evaluate(() =>
      Promise.all(
        (["geolocation", "notifications", "camera"] as PermissionName[]).map(
          async (name) => (await navigator.permissions.query({ name })).state,
        ),
      ),
    );
    expect(states).toEqual(["denied", "denied", "denied"]);
    await expect(session.page("//stranger.example/")).rejects.toThrow("stays at its origin");
    await kept.close();
  });

  it("has no more places for a person than are set", async () => {
    const small = testRoute({ maxSessionsPerPerson: 1 });
    const first = await opened(small.route, testCtx("ann", log), destination());
    expect(await small.route.beginSignIn(testCtx("ann", log), destination(), FREE_TRIES)).toEqual(err("busy"));
    await first.open.close();
    await (await opened(small.route, testCtx("ann", log), destination())).open.close();
    await small.stop();
  });

  it("stops a browser that nobody has used for a while, and leaves nothing behind", async () => {
    const due: { ms: number; fn: () => void }[] = [];
    const timers = {
      after: (ms: number, fn: () => void) => {
        if (ms !== 77_777) return systemTimers.after(ms, fn);
        const entry = { ms, fn };
        due.push(entry);
        return () => due.splice(due.indexOf(entry), 1);
      },
    };
    const profileRoot = mkdtempSync(join(tmpdir(), "countersign-idle-"));
    const idle = testRoute({ timers, idleMs: 77_777, profileRoot });
    const first = await opened(idle.route, testCtx("ann", log), destination());
    expect(readdirSync(profileRoot)).toHaveLength(1);
    await first.open.close();
    const second = await opened(idle.route, testCtx("ann", log), destination());
    expect(due).toHaveLength(0);
    await second.open.close();
    const pid = Number(/"pid":([0-9]+)/.exec(log.lines.join())?.[1]);
    expect(existsSync(`/proc/${pid}`) || process.platform !== "linux").toBe(true);
    due[0]?.fn();
    await until(() => log.lines.some((line) => line.includes("browser.gone")));
    await until(() => readdirSync(profileRoot).length === 0);
    expect(log.lines.filter((line) => line.includes("browser.started"))).toHaveLength(1);
    await idle.stop();
    rmSync(profileRoot, { recursive: true });
  });

  it("says loudly that the sandbox is off", async () => {
    if (process.getuid?.() !== 0) return;
    const loud = testRoute();
    await (await opened(loud.route, testCtx("zoe", log), destination())).open.close();
    await loud.stop();
    expect(log.lines.join()).toContain("WITHOUT its sandbox");
  });
});
