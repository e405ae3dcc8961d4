import { createHmac, randomBytes } from "node:crypto";
import { secret } from "@countersign/wire";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { memoryOfIds, type SeenIds, verifyWebhook } from "../src/index.ts";

// Signatures are made here by the specification's text alone (Standard Webhooks 1.0), not by our own code.
const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const key = randomBytes(32);
const SECRET = secret(`whsec_${key.toString("base64")}`);
const BODY =
  '{"type":"task.changed","timestamp":"2027-01-15T08:00:00.000Z","data":{"task_id":"task_1","state":"succeeded","revision":7}}';

interface Message {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
  readonly key: Uint8Array;
}
function message(change: Partial<Message> = {}) {
  const { id, timestamp, body, key: by } = { id: "evt_1", timestamp: String(NOW / 1000), body: BODY, key, ...change };
  const mac = createHmac("sha256", by).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${mac}` },
    body,
  };
}

let seen: SeenIds;
beforeEach(() => {
  seen = memoryOfIds(() => NOW);
});
const verify = (got: Parameters<typeof verifyWebhook>[0], now = NOW) =>
  verifyWebhook(got, { secret: SECRET, seen, now });
const refused = (reason: string) => ({ ok: false, reason });

describe("a webhook", () => {
  it("of the specification's own example is verified", async () => {
    // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    const example = {
      headers: {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
      body: '{"test": 2432232314}',
    };
    const options = { secret: secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), seen, now: 1_614_265_330_000 };
    // Signed rightly, and not about a task.
    expect(await verifyWebhook(example, options)).toEqual(refused("malformed_body"));
    const altered = { ...example, body: '{"test": 2432232315}' };
    expect(await verifyWebhook(altered, options)).toEqual(refused("wrong_signature"));
  });

  it("says which task has moved, and where to", async () => {
    const heard = await verify(message());
    expect(heard).toMatchObject({ ok: true, value: { data: { task_id: "task_1", state: "succeeded", revision: 7 } } });
  });

  it("is read from Headers and from bytes alike, and one of several signatures is enough", async () => {
    const { headers, body } = message();
    const both = { ...headers, "webhook-signature": `v1,${"A".repeat(43)}= v1a,AAAA ${headers["webhook-signature"]}` };
    const got = { headers: new Headers(both), body: new TextEncoder().encode(body) };
    expect((await verify(got)).ok).toBe(true);
  });

  it("U53 the same again is a replay; so are a second delivery of one event, and a later try", async () => {
    expect((await verify(message())).ok).toBe(true);
    expect(await verify(message())).toEqual(refused("replayed"));
    const laterTry = message({ timestamp: String(NOW / 1000 + 20) });
    expect(await verify(laterTry, NOW + 20_000)).toEqual(refused("replayed"));
  });

  it("U53 without its id, or with a new one, it is not signed", async () => {
    const { headers, body } = message();
    const { "webhook-id": _, ...rest } = headers;
    expect(await verify({ headers: rest, body })).toEqual(refused("missing_header"));
    expect(await verify({ headers: { ...headers, "webhook-id": "" }, body })).toEqual(refused("missing_header"));
    expect(await verify({ headers: { ...headers, "webhook-id": "evt_2" }, body })).toEqual(refused("wrong_signature"));
    // And nobody has used up the id by trying.
    expect((await verify({ headers, body })).ok).toBe(true);
  });

  it("U53 six minutes old, or from the future, it is refused however well it is signed", async () => {
    expect(await verify(message(), NOW + 6 * MINUTE)).toEqual(refused("too_old"));
    expect(await verify(message(), NOW - 6 * MINUTE)).toEqual(refused("too_new"));
    expect((await verify(message(), NOW + 4 * MINUTE)).ok).toBe(true);
    const { headers, body } = message();
    const younger = { ...headers, "webhook-timestamp": String(NOW / 1000 + 360) };
    expect(await verify({ headers: younger, body }, NOW + 6 * MINUTE)).toEqual(refused("wrong_signature"));
    for (const odd of ["", "now", "1e9", "-1", "1800000000.5"])
      expect(await verify(message({ timestamp: odd }))).toEqual(refused("missing_header"));
  });

  it("of another secret is refused, and a secret that is none is said to be", async () => {
    expect(await verify(message({ key: randomBytes(32) }))).toEqual(refused("wrong_signature"));
    for (const text of [
      "",
      "whsec_",
      "whsec_!!!",
      `whsec_${Buffer.alloc(8).toString("base64")}`,
      key.toString("base64"),
    ])
      expect(await verifyWebhook(message(), { secret: secret(text), seen, now: NOW })).toEqual(refused("bad_secret"));
  });

  it("any change of one byte is refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: BODY.length - 1 }), fc.integer({ min: 1, max: 127 }), async (at, by) => {
        const bytes = new TextEncoder().encode(BODY);
        bytes[at] = ((bytes[at] ?? 0) + by) % 128;
        const { headers } = message();
        expect(await verify({ headers, body: bytes })).toEqual(refused("wrong_signature"));
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    "{}",
    "[]",
    "null",
    "x",
    BODY.replace("task.changed", "notice.approval"),
    BODY.replace("succeeded", "bought"),
  ])("a signed body that is no move of a task is refused: %s", async (body) => {
    expect(await verify(message({ body }))).toEqual(refused("malformed_body"));
  });
});

describe("the memory of ids", () => {
  it("forgets in time, and rather misses a message than takes one twice", () => {
    let now = NOW;
    const memory = memoryOfIds(() => now);
    expect([memory.add("a", NOW + 1_000), memory.add("a", NOW + 1_000)]).toEqual([true, false]);
    now += 1_001;
    expect(memory.add("a", now + 1_000)).toBe(true);
  });
});
