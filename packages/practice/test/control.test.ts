import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decimalOf } from "../src/site/money.ts";
import { apiSignIn, openShop, orderLamp, shopper, type TestShop } from "./shopper.ts";

let shop: TestShop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

async function control(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${shop.controlOrigin}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

describe("control port", () => {
  test("sets switches, reads counters and orders, resets", async () => {
    const person = shopper(shop);
    await person.signIn();
    expect((await control("POST", "/switches", { switch: "commitThen", answer: 503, times: 1 })).status).toBe(200);
    expect((await control("GET", "/switches")).body.switches).toEqual([
      { switch: "commitThen", answer: 503, times: 1 },
    ]);
    expect((await orderLamp(person)).status).toBe(503);
    expect((await control("GET", "/switches")).body.switches).toEqual([]);
    const { body: counters } = await control("GET", "/counters");
    expect(counters).toMatchObject({ submits: 1, orders: 1, signIns: 1 });
    expect(counters.pageViews).toBeGreaterThan(0);
    expect((await control("GET", "/orders")).body.orders[0]).toMatchObject({ total_minor: 4990 });
    expect((await control("GET", "/current-code")).body.code).toBe(shop.currentCode());
    await control("POST", "/end-session");
    expect((await person.get("/orders")).status).toBe(302);
    await control("POST", "/reset");
    expect((await control("GET", "/counters")).body).toMatchObject({ submits: 0, orders: 0, pageViews: 0 });
    expect(shop.control.orders()).toHaveLength(3);
  });

  test("takes the short forms and refuses nonsense", async () => {
    expect((await control("POST", "/switches", { switch: "delay", ms: 5 })).status).toBe(200);
    expect((await control("POST", "/switches", { switch: "title", text: "Lamp" })).status).toBe(200);
    expect((await control("POST", "/switches", { switch: "readBack" })).status).toBe(200);
    expect((await control("POST", "/switches", { switch: "readBack", state: "up" })).body.switches).toHaveLength(2);
    expect((await control("POST", "/switches", { switch: "explode" })).status).toBe(422);
    expect((await control("POST", "/switches", { switch: "commitThen" })).status).toBe(422);
    expect((await control("POST", "/switches", [])).status).toBe(400);
    expect((await control("GET", "/nothing")).status).toBe(404);
    await control("DELETE", "/switches");
    expect(shop.control.switches()).toEqual([]);
  });

  test("a web page cannot work it", async () => {
    const answer = await control("POST", "/reset", {}, { origin: "https://evil.example" });
    expect(answer.status).toBe(403);
  });
});

describe("what arrived", () => {
  test("AUT-3 a token the shop did not issue is counted under every scheme; its own never is, ended or not", async () => {
    const api = await apiSignIn(shop);
    await api.call("GET", "/me");
    shop.control.endSession();
    await api.call("GET", "/me");
    expect(shop.control.counters().foreignTokens).toBe(0);
    for (const authorization of ["Bearer abc.def.ghi", "DPoP abc", `DPoP ${api.token}`, "Basic YTpi", "bearer x"]) {
      await fetch(`${shop.origin}/`, { headers: { authorization } });
    }
    expect(shop.control.counters().foreignTokens).toBe(5);
  });

  test("the log holds header names and never a value", async () => {
    await fetch(`${shop.origin}/orders?secret=1`, {
      headers: { "x-canary": "value-of-it", authorization: "Bearer t" },
      redirect: "manual",
    });
    const [entry] = shop.control.requests();
    expect(entry).toMatchObject({ method: "GET", path: "/orders", authorization: "foreign" });
    expect(entry?.headerNames).toContain("x-canary");
    expect(JSON.stringify(shop.control.requests())).not.toMatch(/value-of-it|secret/);
  });

  test("AUT-4 a planted canary is seen in URL, header and form body, and only then", async () => {
    shop.control.plantCanary("kestrel/7");
    const person = shopper(shop);
    await person.get("/");
    expect(shop.control.counters().canaryHits).toBe(0);
    await person.get("/?q=kestrel/7");
    await fetch(`${shop.origin}/`, { headers: { "x-note": "has kestrel/7 in it" } });
    await person.post("/sign-in", { email: "kestrel/7" });
    expect(shop.control.counters().canaryHits).toBe(3);
  });
});

test("a seed repeats order numbers; none gives others", async () => {
  const twin = await openShop();
  try {
    expect(twin.control.orders().map(({ number }) => number)).toEqual(
      shop.control.orders().map(({ number }) => number),
    );
  } finally {
    await twin.close();
  }
});

test.each([
  [0, 2, "0.00"],
  [5, 2, "0.05"],
  [-5, 2, "-0.05"],
  [4490, 0, "4490"],
  [4490, 3, "4.490"],
  [Number.MAX_SAFE_INTEGER, 2, "90071992547409.91"],
])("%i minor units with %i digits are %s", (amountMinor, digits, text) => {
  expect(decimalOf(amountMinor, digits)).toBe(text);
});

test("the command prints one line of origins, no credential, and stops on SIGTERM", async () => {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const child = spawn(process.execPath, [main, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  const line = chunk.toString();
  const { origin, control_origin } = JSON.parse(line);
  expect((await fetch(origin)).status).toBe(200);
  expect((await fetch(`${control_origin}/counters`)).status).toBe(200);
  expect(line).not.toContain(shop.user.password);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
