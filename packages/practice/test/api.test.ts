import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apiSignIn, openShop, type TestShop } from "./shopper.ts";

let shop: TestShop;
let api: Awaited<ReturnType<typeof apiSignIn>>;
beforeEach(async () => {
  shop = await openShop();
  api = await apiSignIn(shop);
});
afterEach(() => shop.close());

const lamp = { sku: "TL-200", quantity: 1, delivery: "standard" };
async function quoteId(): Promise<string> {
  return (await api.call("POST", "/quotes", lamp)).body.quote_id;
}

describe("session", () => {
  test("asks for the second factor, then gives a token that ends", async () => {
    expect([api.first.status, api.first.body.error]).toEqual([401, "second_factor_required"]);
    expect(api.second.body.expires_at).toBe("2026-12-01T12:00:00.000Z");
    expect((await api.call("GET", "/me")).body).toMatchObject({
      name: "Alex Example",
      email_masked: "a***@practice.example",
    });
    shop.clock.nowMs += 24 * 3_600_000;
    const late = await api.call("GET", "/me");
    expect([late.status, late.body.error]).toEqual([401, "unauthenticated"]);
  });

  test("wrong password, wrong code, spent challenge, no token", async () => {
    const { email, password } = shop.user;
    expect((await api.anonymous("POST", "/session", { email, password: "no" })).body.error).toBe("invalid_credentials");
    const { challenge } = (await api.anonymous("POST", "/session", { email, password })).body;
    expect((await api.anonymous("POST", "/session/verify", { challenge, code: "12345" })).body.error).toBe(
      "invalid_code",
    );
    const code = shop.currentCode();
    expect((await api.anonymous("POST", "/session/verify", { challenge, code })).status).toBe(200);
    expect((await api.anonymous("POST", "/session/verify", { challenge, code })).body.error).toBe("challenge_expired");
    const out = await api.anonymous("GET", "/orders");
    expect([out.status, out.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test("failures are limited together with the pages'", async () => {
    for (let n = 0; n < 5; n += 1) await api.anonymous("POST", "/session", { email: shop.user.email, password: "no" });
    const { email, password } = shop.user;
    const limited = await api.anonymous("POST", "/session", { email, password });
    expect([limited.status, limited.body.error, limited.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "900",
    ]);
  });

  test("sign-out and the switch end tokens", async () => {
    expect((await api.call("DELETE", "/session")).status).toBe(200);
    expect((await api.call("GET", "/me")).status).toBe(401);
    const other = await apiSignIn(shop);
    shop.control.endSession();
    expect((await other.call("GET", "/me")).status).toBe(401);
  });
});

describe("quotes and orders", () => {
  test("a quote is recomputed when read, and the order is charged at its moment", async () => {
    const quote = (await api.call("POST", "/quotes", lamp)).body;
    expect(quote).toMatchObject({
      currency: "EUR",
      lines: [{ sku: "TL-200", title: "Trail Lamp 200", quantity: 1, unit_minor: 4490, total_minor: 4490 }],
      delivery: { id: "standard", title: "Standard delivery", price_minor: 500 },
      total_minor: 4990,
    });
    shop.control.total(10);
    expect((await api.call("GET", `/quotes/${quote.quote_id}`)).body.total_minor).toBe(5000);
    const placed = await api.call("POST", "/orders", { quote_id: quote.quote_id, note: "ref 7" });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({ total_minor: 5000, note: "ref 7", status: "confirmed" });
    expect(placed.headers.get("location")).toBe(`/api/v1/orders/${placed.body.number}`);
    const { orders } = (await api.call("GET", "/orders")).body;
    expect(orders).toHaveLength(4);
    expect(orders[0]).toEqual(placed.body);
    expect((await api.call("GET", `/orders/${placed.body.number}`)).body).toEqual(placed.body);
  });

  test("what cannot be ordered is named", async () => {
    const quote = async (body: unknown) => {
      const answer = await api.call("POST", "/quotes", body);
      return [answer.status, answer.body.error];
    };
    expect(await quote({ ...lamp, sku: "WN-9" })).toEqual([422, "out_of_stock"]);
    expect(await quote({ ...lamp, sku: "WB-750" })).toEqual([422, "unknown_sku"]);
    expect(await quote({ ...lamp, quantity: "1" })).toEqual([400, "invalid_request"]);
    expect(await quote({ ...lamp, quantity: 0 })).toEqual([400, "invalid_request"]);
    expect(await quote({ ...lamp, delivery: "drone" })).toEqual([400, "invalid_request"]);
    expect(await quote([])).toEqual([400, "invalid_request"]);
    const id = await quoteId();
    shop.clock.nowMs += 15 * 60_000;
    expect((await api.call("POST", "/orders", { quote_id: id })).body.error).toBe("quote_expired");
  });

  test("without a key a repeat orders twice; with one it replays; another body is refused", async () => {
    const body = { quote_id: await quoteId() };
    await api.call("POST", "/orders", body);
    await api.call("POST", "/orders", body);
    expect(shop.control.counters().orders).toBe(2);
    const key = { "idempotency-key": "k1" };
    const first = await api.call("POST", "/orders", body, key);
    const repeat = await api.call("POST", "/orders", body, key);
    expect(repeat.headers.get("idempotency-replayed")).toBe("true");
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect([repeat.status, repeat.body]).toEqual([201, first.body]);
    const other = await api.call("POST", "/orders", { ...body, note: "x" }, key);
    expect([other.status, other.body.error]).toEqual([422, "idempotency_key_reused"]);
    const long = await api.call("POST", "/orders", body, { "idempotency-key": "k".repeat(256) });
    expect([long.status, long.body.error]).toEqual([400, "invalid_request"]);
    expect(shop.control.counters()).toMatchObject({ submits: 6, orders: 3 });
  });

  test("the switches act here too", async () => {
    const body = { quote_id: await quoteId() };
    shop.control.refuse({ times: 1 });
    const refused = await api.call("POST", "/orders", body);
    expect([refused.status, refused.body.error]).toEqual([422, "out_of_stock"]);
    shop.control.commitThenDrop({ times: 1 });
    await expect(api.call("POST", "/orders", body)).rejects.toThrow();
    shop.control.commitThen("half_body", { times: 1 });
    await expect(api.call("POST", "/orders", body)).rejects.toThrow();
    shop.control.commitThen(422, { times: 1 });
    const error = await api.call("POST", "/orders", body);
    expect([error.status, error.body]).toEqual([422, undefined]);
    expect(shop.control.counters().orders).toBe(3);
    shop.control.readBack("down");
    expect((await api.call("GET", "/orders")).body.error).toBe("temporarily_unavailable");
    expect((await api.call("GET", "/membership")).status).toBe(503);
  });

  test("unknown addresses, methods and oversized bodies", async () => {
    expect((await api.call("GET", "/nothing")).status).toBe(404);
    expect((await api.call("DELETE", "/orders")).status).toBe(405);
    expect((await api.call("POST", "/quotes", { note: "x".repeat(70_000) })).status).toBe(413);
  });
});

describe("membership", () => {
  test("preview, then cancel; a second cancellation is refused", async () => {
    expect((await api.call("GET", "/membership")).body).toEqual({
      plan: "Trail Club",
      status: "active",
      price_minor: 790,
      currency: "EUR",
      period: "month",
      paid_until: "2026-12-18T00:00:00.000Z",
    });
    const preview = await api.call("POST", "/membership/cancellation-previews", {});
    expect(preview.body).toMatchObject({ ends_at: "2026-12-18T00:00:00.000Z", refund_minor: 0 });
    const { preview_id } = preview.body;
    expect((await api.call("GET", `/membership/cancellation-previews/${preview_id}`)).status).toBe(200);
    expect(shop.control.counters().cancels).toBe(0);
    expect((await api.call("POST", "/membership/cancellation", { preview_id: "cp_x" })).body.error).toBe(
      "preview_expired",
    );
    const done = await api.call("POST", "/membership/cancellation", { preview_id });
    expect(done.status).toBe(201);
    expect(done.body).toMatchObject({ status: "cancelled", ends_at: "2026-12-18T00:00:00.000Z" });
    expect((await api.call("GET", "/membership")).body).toEqual(done.body);
    const again = await api.call("POST", "/membership/cancellation", { preview_id });
    expect([again.status, again.body.error]).toEqual([409, "already_cancelled"]);
    expect(shop.control.counters()).toMatchObject({ cancelSubmits: 3, cancels: 1 });
  });

  test("a cancellation that is not possible is named", async () => {
    const { preview_id } = (await api.call("POST", "/membership/cancellation-previews", {})).body;
    shop.control.refuse({ on: "cancellation", times: 1 });
    const refused = await api.call("POST", "/membership/cancellation", { preview_id });
    expect([refused.status, refused.body.error]).toEqual([422, "cancellation_not_possible"]);
  });
});
