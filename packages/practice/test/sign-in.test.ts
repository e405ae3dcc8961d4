import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { csrfOf, openShop, shopper, type TestShop } from "./shopper.ts";

let shop: TestShop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

describe("sign-in by password and one-time code", () => {
  test("both factors open the account, and the session cookie is HttpOnly, Lax and ends", async () => {
    const person = shopper(shop);
    const done = await person.signIn();
    expect(done.status).toBe(303);
    expect(done.headers.get("set-cookie")).toMatch(
      /^hh_session=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    );
    const account = await person.get("/account");
    expect(account.text).toContain("Alex Example");
    expect(account.text).toContain("a***@practice.example");
    expect(account.text).not.toContain(shop.user.email);
    expect(shop.control.counters()).toMatchObject({ signIns: 1, signInFailures: 0 });
  });

  test.each(["/cart", "/checkout", "/orders", "/account", "/membership", "/membership/cancel/confirm"])(
    "signed out, %s leads to the sign-in page and back",
    async (path) => {
      const person = shopper(shop);
      const away = await person.get(path);
      expect(away.status).toBe(302);
      expect(away.headers.get("location")).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
      const { email, password } = shop.user;
      await person.submit(`/sign-in?next=${encodeURIComponent(path)}`, "/sign-in", { email, password, next: path });
      const done = await person.submit("/sign-in/verify", "/sign-in/verify", { code: shop.currentCode() });
      expect(done.headers.get("location")).toBe(path);
    },
  );

  test.each(["//evil.example", "/\\evil.example", "https://evil.example/", "/a b"])(
    "a sign-in never leads to %s",
    async (next) => {
      const person = shopper(shop);
      const { email, password } = shop.user;
      await person.submit("/sign-in", "/sign-in", { email, password, next });
      const done = await person.submit("/sign-in/verify", "/sign-in/verify", { code: shop.currentCode() });
      expect(done.headers.get("location")).toBe("/");
    },
  );

  test("a wrong password and a wrong code open nothing", async () => {
    const person = shopper(shop);
    const wrong = await person.submit("/sign-in", "/sign-in", { email: shop.user.email, password: "guess" });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain("do not match");
    expect((await person.get("/sign-in/verify")).status).toBe(302);

    const { email, password } = shop.user;
    expect((await person.submit("/sign-in", "/sign-in", { email, password })).status).toBe(303);
    const code = shop.currentCode() === "000000" ? "111111" : "000000";
    const refused = await person.submit("/sign-in/verify", "/sign-in/verify", { code });
    expect(refused.status).toBe(401);
    expect((await person.get("/orders")).status).toBe(302);
    expect(shop.control.counters()).toMatchObject({ signIns: 0, signInFailures: 2 });
  });

  test("the password alone opens nothing, and a code of two minutes ago is refused", async () => {
    const person = shopper(shop);
    const { email, password } = shop.user;
    await person.submit("/sign-in", "/sign-in", { email, password });
    expect((await person.get("/account")).status).toBe(302);
    const old = shop.currentCode();
    shop.clock.nowMs += 120_000;
    expect((await person.submit("/sign-in/verify", "/sign-in/verify", { code: old })).status).toBe(401);
  });

  test("five failures close sign-in for a quarter of an hour, the right password included", async () => {
    const person = shopper(shop);
    const { email, password } = shop.user;
    for (let n = 0; n < 5; n += 1) await person.submit("/sign-in", "/sign-in", { email, password: `guess ${n}` });
    const limited = await person.submit("/sign-in", "/sign-in", { email, password });
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("900");
    expect(limited.text).toContain("Too many attempts");
    shop.clock.nowMs += 900_000;
    expect((await person.submit("/sign-in", "/sign-in", { email, password })).status).toBe(303);
  });

  test("guessed codes are limited too, and an interrupted sign-in ends by itself", async () => {
    const person = shopper(shop);
    const { email, password } = shop.user;
    await person.submit("/sign-in", "/sign-in", { email, password });
    for (let n = 0; n < 5; n += 1) await person.submit("/sign-in/verify", "/sign-in/verify", { code: `${n}` });
    const limited = await person.submit("/sign-in/verify", "/sign-in/verify", { code: shop.currentCode() });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "900"]);
    shop.clock.nowMs += 300_000;
    expect((await person.get("/sign-in/verify")).headers.get("location")).toBe("/sign-in");
  });

  test("a session ends by sign-out, by time, and by the control switch", async () => {
    const person = shopper(shop);
    await person.signIn();
    await person.submit("/account", "/sign-out", {});
    expect((await person.get("/account")).status).toBe(302);

    await person.signIn();
    shop.clock.nowMs += 24 * 3_600_000;
    expect((await person.get("/account")).status).toBe(302);

    await person.signIn();
    expect((await person.get("/account")).status).toBe(200);
    shop.control.endSession();
    expect((await person.get("/account")).status).toBe(302);
  });

  test("a session id known before signing in is worth nothing after it", async () => {
    const page = await fetch(`${shop.origin}/sign-in`);
    const before = page.headers.get("set-cookie")?.split(";")[0] ?? "";
    const post = (path: string, cookie: string, fields: Record<string, string>) =>
      fetch(`${shop.origin}${path}`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie },
        body: new URLSearchParams(fields),
      });
    const { email, password } = shop.user;
    const first = await post("/sign-in", before, { csrf: csrfOf(await page.text()), email, password });
    expect(first.status).toBe(303);
    const account = await fetch(`${shop.origin}/sign-in/verify`, { redirect: "manual", headers: { cookie: before } });
    expect(account.status).toBe(302);
  });

  test("a form without this session's token changes nothing", async () => {
    const person = shopper(shop);
    await person.signIn();
    const stranger = csrfOf((await shopper(shop).get("/sign-in")).text);
    expect((await person.post("/cart", { csrf: stranger, sku: "TL-200", quantity: "1" })).status).toBe(403);
    expect((await person.post("/membership/cancel", {})).status).toBe(403);
    expect((await person.get("/cart")).text).toContain("Your cart is empty");
    expect(shop.control.counters().cancels).toBe(0);
  });
});
