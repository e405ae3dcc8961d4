import http from "node:http";
import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import { findChromium } from "@countersign/route-browser";
import { assert } from "@countersign/wire";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { ensureConsole } from "../packages/countersign/src/setup/console-build.ts";
import { consolePolicy } from "../packages/gateway/src/http/console.ts";
import { securityHeaders } from "../packages/gateway/src/http/security-headers.ts";
import { orderRequest } from "./support/agent.ts";
import { readyWorld } from "./support/world.ts";

// What other sites can do to the trusted interface in a real browser, in which the person is signed in.

type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready;
let browser: Browser;
let context: BrowserContext;
let evil: Site;
let actionId = "";
const cleanups: (() => Promise<void> | void)[] = [];

interface Site {
  readonly port: number;
  /** Same site as the gateway (another port of `localhost`), so that even strict cookies come along; and another site. */
  readonly sister: string;
  readonly stranger: string;
  answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  readonly seen: http.IncomingMessage[];
  close(): Promise<void>;
}

async function openSite(): Promise<Site> {
  const seen: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request);
    site.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const { port } = address;
  const site: Site = {
    port,
    sister: `http://localhost:${port}`,
    stranger: `http://127.0.0.1:${port}`,
    answer: (_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>evil</title><body>evil</body>");
    },
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return site;
}

beforeAll(async () => {
  const built = await ensureConsole(() => {});
  assert(built.ok, "the console can be built");
  ready = await readyWorld({ console: { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES } });
  const found = findChromium(process.env);
  assert(found.ok, "a Chromium is installed");
  browser = await chromium.launch({ executablePath: found.value, chromiumSandbox: process.getuid?.() !== 0 });
  context = await browser.newContext();
  // The person's own session, as the browser would hold it.
  const cookie = (pair: string, httpOnly: boolean) => {
    const [name = "", value = ""] = pair.split("=");
    const { hostname: domain } = new URL(ready.world.issuer);
    return { name, value, domain, path: "/", httpOnly, secure: true, sameSite: "Strict" as const };
  };
  await context.addCookies([
    cookie(ready.person.cookie, true),
    cookie(`__Host-countersign-page=${ready.person.pageToken}`, false),
  ]);
  evil = await openSite();
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  actionId = String((await ready.person.approvalFor(taskId))["action_id"]);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
afterAll(async () => {
  await browser?.close();
  await evil?.close();
  await ready?.world.close();
});

async function open(url: string): Promise<Page> {
  const page = await context.newPage();
  cleanups.push(() => page.close());
  await page.goto(url);
  return page;
}

it("the person is signed in here, so that what follows shows something", async () => {
  const page = await open(`${ready.world.issuer}/approvals/${actionId}`);
  await page.getByText("Total charged").first().waitFor();
});

describe.each(["sister", "stranger"] as const)("a page of a %s site", (kind) => {
  it("U36 can frame no page, no refusal, no file and no unknown address", async () => {
    const page = await open(evil[kind]);
    const { issuer } = ready.world;
    const script = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(issuer)).text())?.[0] ?? "";
    const paths = [
      "/",
      "/link",
      "/agents",
      "/consents",
      `/consents/${ready.consentRef}`,
      "/accounts",
      "/contact",
    ].concat(
      [`/approvals/${actionId}`, "/tasks", "/receipts", "/authorities", "/passkeys", "/more", "/nothing", "/%zz"],
      ["/continuations/cont_x", "/trusted/v1/inbox", "/v1/tasks", "/oauth/nothing", "/healthz", script],
    );
    for (const path of paths) {
      const shown = await page.evaluate(
        (src) =>
          new Promise<string>((resolve) => {
            const frame = document.createElement("iframe");
            frame.src = src;
            frame.onload = () => {
              // What was refused is an error page of the browser's own, another origin than ours.
              resolve(
                frame.contentDocument === null ? "another origin" : (frame.contentDocument.body?.textContent ?? ""),
              );
              frame.remove();
            };
            document.body.append(frame);
          }),
        `${issuer}${path}`,
      );
      expect(["another origin", ""], path).toContain(shown);
    }
    const policy = await page.evaluate(async (src) => {
      const frame = document.createElement("iframe");
      frame.src = src;
      document.body.append(frame);
      await new Promise((resolve) => {
        frame.onload = resolve;
      });
      return frame.contentWindow?.length ?? 0;
    }, `${issuer}/approvals/${actionId}`);
    expect(policy).toBe(0);
    const urls = page.frames().map((frame) => frame.url());
    expect(urls.some((url) => url.startsWith(issuer))).toBe(false);
  });

  it("U35 can change nothing: by form, by fetch in any mode, by beacon, by image", async () => {
    const { issuer } = ready.world;
    const target = `${issuer}/trusted/v1/approvals/${actionId}/decision`;
    const page = await open(evil[kind]);
    const outcomes = await page.evaluate(
      async ([url, end, token]) => {
        const body = JSON.stringify({ decision: "denied" });
        const said: string[] = [];
        for (const mode of ["no-cors", "cors", "same-origin"] as const) {
          for (const headers of [{}, { "content-type": "application/json", "x-countersign": token ?? "" }]) {
            const answer = await fetch(url ?? "", { method: "POST", mode, credentials: "include", headers, body }).then(
              (response) => `${response.type} ${response.status}`,
              () => "blocked",
            );
            said.push(answer);
          }
        }
        navigator.sendBeacon(end ?? "", "{}");
        new Image().src = end ?? "";
        return said;
      },
      [target, `${issuer}/trusted/v1/session/end`, ready.person.pageToken] as const,
    );
    expect(outcomes.every((said) => said === "blocked" || said === "opaque 0")).toBe(true);
    for (const enctype of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]) {
      for (const action of [target, `${issuer}/trusted/v1/session/end`, `${issuer}/trusted/v1/sessions/end-all`]) {
        const form = await open(evil[kind]);
        await Promise.all([
          form.waitForURL(`${issuer}/**`),
          form.evaluate(
            ([to, type]) => {
              const made = document.createElement("form");
              made.method = "POST";
              made.action = to ?? "";
              made.enctype = type ?? "";
              const field = document.createElement("input");
              field.name = '{"decision":"denied","x":"';
              field.value = '"}';
              made.append(field);
              document.body.append(made);
              made.submit();
            },
            [action, enctype] as const,
          ),
        ]);
        expect(await form.evaluate(() => document.body.textContent)).toMatch(/forbidden|unsupported_media_type/);
      }
    }
    expect((await ready.person.get(`/approvals/${actionId}`)).json["status"]).toBe("pending");
    expect((await ready.person.get("/session")).status).toBe(200);
  });

  it("can read nothing, load nothing of ours into itself, and holds no handle on a page that it opens", async () => {
    const { issuer } = ready.world;
    const page = await open(evil[kind]);
    const script = /\/assets\/[\w.-]+\.js/.exec(await (await fetch(issuer)).text())?.[0] ?? "";
    const loaded = await page.evaluate(
      async (urls) => {
        const tries = urls.map(
          (src) =>
            new Promise<string>((resolve) => {
              const element = document.createElement("script");
              element.src = src;
              element.onload = () => resolve("loaded");
              element.onerror = () => resolve("refused");
              document.head.append(element);
            }),
        );
        return Promise.all(tries);
      },
      [`${issuer}${script}`, `${issuer}/trusted/v1/inbox`, `${issuer}/openapi.json`],
    );
    expect(loaded).toEqual(["refused", "refused", "refused"]);
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      page.evaluate((url) => {
        Object.assign(window, { handle: window.open(url) });
      }, `${issuer}/approvals/${actionId}`),
    ]);
    cleanups.push(() => opened.close());
    await opened.getByText("Total charged").first().waitFor();
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    await page.evaluate(() => {
      const { handle } = window as unknown as { handle: Window };
      try {
        handle.location.href = "about:blank#evil";
        handle.postMessage("evil", "*");
      } catch {}
    });
    await opened.waitForEvent("framenavigated", { timeout: 500 }).catch(() => {});
    expect(opened.url()).toBe(`${issuer}/approvals/${actionId}`);
    expect(await page.evaluate(() => (window as unknown as { handle: Window }).handle.closed)).toBe(true);
  });
});

it("what agents and sites write runs nowhere, and breaks no policy", async () => {
  const canary =
    '"><img src=x onerror="window.canary=1"><script>window.canary=1</script>{{constructor}}javascript:canary';
  const added = await askGateway(ready.world.dataDir, { command: "agent_add", name: canary.slice(0, 80) });
  assert(added.ok, "an agent with such a name asks");
  const consentRef = await ready.agent.askGrant({
    destination: "practice-shop",
    operations: ["retail.orders.list"],
    purpose: canary,
  });
  const page = await context.newPage();
  cleanups.push(() => page.close());
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(dialog.message()));
  const outside: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(ready.world.issuer)) outside.push(request.url());
  });
  await page.addInitScript(() => {
    Object.assign(window, { violations: [] as string[] });
    document.addEventListener("securitypolicyviolation", (event) => {
      (window as unknown as { violations: string[] }).violations.push(`${event.violatedDirective} ${event.sample}`);
    });
  });
  const paths = ["/", "/agents", `/agents/${String(added.value["client_id"])}`, "/consents", `/consents/${consentRef}`];
  for (const path of [
    ...paths,
    `/approvals/${actionId}`,
    "/tasks",
    "/accounts",
    "/contact",
    "/passkeys",
    "/receipts",
  ]) {
    await page.goto(`${ready.world.issuer}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("load");
    const found = await page.evaluate(() => ({
      canary: "canary" in window,
      violations: (window as unknown as { violations: string[] }).violations,
      injected: document.querySelectorAll("img[src=x], main script").length,
    }));
    expect(found, path).toEqual({ canary: false, violations: [], injected: 0 });
  }
  await page.goto(`${ready.world.issuer}/consents/${consentRef}`);
  await page.getByText("window.canary=1").first().waitFor();
  expect(outside).toEqual([]);
  expect(complaints.filter((text) => /policy|trusted|refused|canary/i.test(text))).toEqual([]);
  // The policy is in force: what a script of ours would inject is refused, not run.
  const refused = await page.evaluate(() => {
    try {
      document.body.innerHTML = "<img src=x onerror='window.canary=1'>";
      return "took it";
    } catch (error) {
      return String(error);
    }
  });
  expect(refused).toMatch(/TrustedHTML/);
});

describe("U37 after a decision", () => {
  const posts: string[] = [];
  async function pageThatLeaves(how: "link" | "form redirect", target: string): Promise<string> {
    const gate = await openSite();
    cleanups.push(() => gate.close());
    gate.answer = (request, response) => {
      for (const [name, value] of securityHeaders(gate.sister)) response.setHeader(name, value);
      const policy = consolePolicy(CONSOLE_STYLE_HASHES);
      // Even a policy that lets our own pages post drops the redirect, after the post has done its work.
      const posting = policy.replace("form-action 'none'", "form-action 'self'");
      response.setHeader("content-security-policy", how === "link" ? policy : posting);
      if (request.method === "POST") {
        posts.push(request.url ?? "");
        response.writeHead(303, { location: target }).end();
        return;
      }
      response.setHeader("content-type", "text/html");
      response.end(
        how === "link"
          ? `<!doctype html><a href="${target}">Go on</a>`
          : `<!doctype html><form method="post" action="/decide"><button>Go on</button></form>`,
      );
    };
    return gate.sister;
  }

  it("a link leads to a client's loopback address in one click, with its code and without a referrer", async () => {
    const client = await openSite();
    cleanups.push(() => client.close());
    const page = await open(await pageThatLeaves("link", `${client.stranger}/callback?code=once`));
    await page.getByText("Go on").click();
    await page.waitForURL(`${client.stranger}/callback?code=once`);
    const got = client.seen.filter((request) => request.url?.startsWith("/callback"));
    expect(got).toHaveLength(1);
    expect(got[0]?.headers.referer).toBeUndefined();
  });

  it("a form that answers with a redirect is the trap: the browser drops it, so no page of ours is one", async () => {
    const client = await openSite();
    cleanups.push(() => client.close());
    const page = await open(await pageThatLeaves("form redirect", `${client.stranger}/callback?code=once`));
    const said = page.waitForEvent("console", { predicate: (message) => message.text().includes("form-action") });
    await page.getByText("Go on").click({ noWaitAfter: true });
    await said;
    expect(posts).toEqual(["/decide"]);
    expect(client.seen.filter((request) => request.url?.startsWith("/callback"))).toHaveLength(0);
  });

  it("the console posts no form, and a decision ends on its own page", async () => {
    const page = await open(`${ready.world.issuer}/approvals/${actionId}`);
    await page.getByText("Total charged").first().waitFor();
    expect(await page.locator("form[method=post], form[action]").count()).toBe(0);
    await page.getByRole("button", { name: "Deny", exact: true }).click();
    await page.getByText("You denied this.").waitFor();
    expect(page.url()).toBe(`${ready.world.issuer}/approvals/${actionId}`);
  });
});
