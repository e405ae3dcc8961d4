import {
  type AgentPlace,
  directoryDocument,
  directoryKeys,
  directoryPossession,
  generateSigningKey,
  readCard,
  readKeySet,
  readPublicKey,
  readRegistry,
  type SigningKey,
  serveDirectory,
} from "@countersign/web-bot-auth";
import { assert, type Json } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { wellKnown } from "../src/agent/discovery.ts";
import { freshForMs, retryAfterMs } from "../src/directory/freshness.ts";
import { lines, VECTORS, vector, vectorKey } from "./support/vectors.ts";
import { AGENT, DIRECTORY, NOON_S } from "./support/world.ts";

const PLACE = wellKnown(AGENT);
const TYPE = "application/http-message-signatures-directory+json";
const bytes = (text: string) => new TextEncoder().encode(text);

/** A directory whose answers and clock are set by hand. */
function site(first: () => Response | Promise<Response>) {
  let nowMs = NOON_S * 1000;
  let answer = first;
  const asked: Request[] = [];
  const keys = directoryKeys({
    now: () => nowMs,
    async fetch(request) {
      asked.push(request);
      return answer();
    },
  });
  return {
    asked,
    find: (keyId: string, place: AgentPlace = PLACE) => keys.find(place, keyId),
    advance: (ms: number) => {
      nowMs += ms;
    },
    answer: (next: () => Response | Promise<Response>) => {
      answer = next;
    },
  };
}

const listing =
  (keys: readonly SigningKey[], headers: Readonly<Record<string, string>> = {}) =>
  () =>
    new Response(directoryDocument(keys), { headers: { "content-type": TYPE, ...headers } });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("PLG-7 a directory is fetched, kept and forgotten", () => {
  it("one fetch while it is fresh, without cookies or redirects", async () => {
    const { key } = await generateSigningKey();
    const here = site(listing([key]));
    for (let n = 0; n < 3; n += 1) expect((await here.find(key.keyId)).kind).toBe("found");
    expect(here.asked).toHaveLength(1);
    expect(here.asked[0]).toMatchObject({ url: DIRECTORY, method: "GET", redirect: "manual", credentials: "omit" });
    here.advance(HOUR);
    await here.find(key.keyId);
    expect(here.asked).toHaveLength(2);
  });

  it("N27 a thousand at once are one fetch", async () => {
    const { key } = await generateSigningKey();
    const here = site(listing([key]));
    const answers = await Promise.all(Array.from({ length: 1000 }, () => here.find(key.keyId)));
    expect(answers.every(({ kind }) => kind === "found")).toBe(true);
    expect(here.asked).toHaveLength(1);
  });

  it("N24 an outage takes no key away for a day, and is told; a directory without the key does at once", async () => {
    const { key } = await generateSigningKey();
    const here = site(listing([key]));
    await here.find(key.keyId);
    here.answer(() => new Response("", { status: 503 }));
    here.advance(HOUR);
    expect(await here.find(key.keyId)).toMatchObject({ kind: "found", age: "stale" });
    here.answer(() => Promise.reject(new Error("down")));
    here.advance(23 * HOUR);
    expect(await here.find(key.keyId)).toMatchObject({ kind: "found", age: "stale" });
    here.advance(HOUR);
    expect((await here.find(key.keyId)).kind).toBe("unavailable");

    const other = site(listing([key]));
    await other.find(key.keyId);
    other.answer(listing([(await generateSigningKey()).key]));
    other.advance(HOUR);
    expect((await other.find(key.keyId)).kind).toBe("absent");
  });

  it("N32 a key that was withdrawn is gone when what was kept is over", async () => {
    const { key } = await generateSigningKey();
    const { key: next } = await generateSigningKey();
    const here = site(listing([key, next], { "cache-control": "max-age=120" }));
    expect((await here.find(key.keyId)).kind).toBe("found");
    here.answer(listing([next], { "cache-control": "max-age=120" }));
    here.advance(119_000);
    expect((await here.find(key.keyId)).kind).toBe("found");
    here.advance(1000);
    expect((await here.find(key.keyId)).kind).toBe("absent");
    expect((await here.find(next.keyId)).kind).toBe("found");
  });

  it("a key that a fresh directory does not list is asked for once a minute", async () => {
    const { key } = await generateSigningKey();
    const { key: next } = await generateSigningKey();
    const here = site(listing([key]));
    await here.find(key.keyId);
    for (let n = 0; n < 5; n += 1) expect((await here.find(next.keyId)).kind).toBe("absent");
    expect(here.asked).toHaveLength(1);
    here.answer(listing([key, next]));
    here.advance(MINUTE);
    expect((await here.find(next.keyId)).kind).toBe("found");
  });

  it("failures are remembered, longer each time, and no longer than five minutes", async () => {
    const here = site(() => new Response("", { status: 500 }));
    const key = "k".repeat(43);
    const asking = async () => {
      const before = here.asked.length;
      expect((await here.find(key)).kind).toBe("unavailable");
      return here.asked.length > before;
    };
    expect([await asking(), await asking()]).toEqual([true, false]);
    here.advance(10_000);
    expect([await asking(), await asking()]).toEqual([true, false]);
    here.advance(10_000);
    expect(await asking()).toBe(false);
    here.advance(10_000);
    expect(await asking()).toBe(true);
    for (let n = 0; n < 10; n += 1) {
      here.advance(5 * MINUTE);
      expect(await asking()).toBe(true);
    }
  });

  it("what has not changed is not sent again", async () => {
    const { key } = await generateSigningKey();
    const here = site(listing([key], { etag: '"1"' }));
    await here.find(key.keyId);
    here.answer(() => new Response(null, { status: 304 }));
    here.advance(HOUR);
    expect(await here.find(key.keyId)).toMatchObject({ kind: "found", age: "fresh" });
    expect(here.asked[1]?.headers.get("if-none-match")).toBe('"1"');
  });

  it.each<readonly [string, () => Response | Promise<Response>]>([
    ["301", () => new Response(null, { status: 301, headers: { location: "https://other.example" } })],
    ["302", () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1" } })],
    ["304 that nobody asked for", () => new Response(null, { status: 304 })],
    ["404", () => new Response("{}", { status: 404, headers: { "content-type": TYPE } })],
    ["a media type of its own", () => new Response('{"keys":[]}', { headers: { "content-type": "text/html" } })],
    ["plain JSON at the well-known path", () => Response.json({ keys: [] })],
    ["no JSON", () => new Response("{", { headers: { "content-type": TYPE } })],
    ["no keys", () => new Response("{}", { headers: { "content-type": TYPE } })],
    ["keys that are no list", () => new Response('{"keys":{}}', { headers: { "content-type": TYPE } })],
    [
      "too many keys",
      () => new Response(JSON.stringify({ keys: Array(33).fill({}) }), { headers: { "content-type": TYPE } }),
    ],
    ["too large", () => new Response(`{"keys":[${" ".repeat(65 * 1024)}]}`, { headers: { "content-type": TYPE } })],
    ["a guard that refuses", () => Promise.reject(new Error("forbidden address"))],
    ["members twice", () => new Response('{"keys":[],"keys":[]}', { headers: { "content-type": TYPE } })],
  ])("N24 %s is an answer that says nothing", async (_name, answer) => {
    expect(await site(answer).find("k".repeat(43))).toEqual({ kind: "unavailable" });
  });

  it("four at once from a host; the others are told that it could not be asked, and nothing is queued", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const here = site(async () => {
      await gate;
      return Response.json({ keys: [] });
    });
    const place = (n: number): AgentPlace => ({
      url: `${AGENT}/${n}`,
      identifier: `${AGENT}/${n}`,
      format: "jwks",
    });
    const finds = Array.from({ length: 6 }, (_, n) => here.find("k".repeat(43), place(n)));
    expect((await Promise.all(finds.slice(4))).map(({ kind }) => kind)).toEqual(["unavailable", "unavailable"]);
    release();
    expect((await Promise.all(finds.slice(0, 4))).every(({ kind }) => kind === "absent")).toBe(true);
    expect(here.asked).toHaveLength(4);
  });

  it("freshness and patience are what the answer says, within our bounds", () => {
    const at = NOON_S * 1000;
    const fresh = (headers: Record<string, string>) => freshForMs(new Headers(headers), at) / 1000;
    expect(fresh({})).toBe(3600);
    expect(fresh({ "cache-control": "max-age=300" })).toBe(300);
    expect(fresh({ "cache-control": "max-age=300", age: "100" })).toBe(200);
    expect(fresh({ "cache-control": "max-age=1" })).toBe(60);
    expect(fresh({ "cache-control": "max-age=99999999" })).toBe(86_400);
    expect(fresh({ "cache-control": "no-store, max-age=300" })).toBe(60);
    expect(fresh({ expires: new Date(at + 600_000).toUTCString() })).toBe(600);
    expect(fresh({ expires: "0" })).toBe(60);
    expect(retryAfterMs(1, null, at)).toBe(10_000);
    expect(retryAfterMs(1, "60", at)).toBe(60_000);
    expect(retryAfterMs(1, "99999", at)).toBe(300_000);
    expect(retryAfterMs(1, "soon", at)).toBe(10_000);
    expect(retryAfterMs(99, null, at)).toBe(300_000);
  });
});

describe("PLG-7 keys of a directory", () => {
  it("N26 each is judged by itself", async () => {
    const { key, privateJwk } = await generateSigningKey();
    const jwk = { ...key.publicJwk };
    const read = async (given: Json, kid: "thumbprint" | "free" = "thumbprint") => {
      const answer = await readPublicKey(given, { kid });
      return answer.ok ? "usable" : answer.reason;
    };
    expect(await read({ ...jwk, kid: key.keyId, use: "sig", key_ops: ["verify"], alg: "EdDSA" })).toBe("usable");
    expect(await read({ ...jwk, kid: "mine" })).toBe("kid_mismatch");
    expect(await read({ ...jwk, kid: "mine" }, "free")).toBe("usable");
    expect(await read({ ...privateJwk.reveal() } as Json)).toBe("private_member");
    expect(await read({ ...jwk, use: "enc" })).toBe("other_use");
    expect(await read({ ...jwk, key_ops: ["sign"] })).toBe("other_use");
    expect(await read({ ...jwk, alg: "PS512" })).toBe("other_use");
    expect(await read({ ...jwk, x: `${jwk.x}=` })).toBe("malformed");
    expect(await read({ ...jwk, x: "AAAA" })).toBe("malformed");
    expect(await read({ ...jwk, exp: "soon" })).toBe("malformed");
    expect(await read({ kty: "oct", k: "AAAA" })).toBe("private_member");
    expect(await read({ kty: "EC", crv: "P-384", x: "a", y: "b" })).toBe("unsupported_type");
    expect(await read({ kty: "EC", crv: "P-256", x: jwk.x, y: jwk.x })).toBe("malformed");
    const rsa = (await vectorKey("rsa-pss")).jwk;
    assert(rsa.kty === "RSA", "it is");
    expect(await read({ ...rsa })).toBe("usable");
    expect(await read({ ...rsa, n: rsa.n.slice(0, 172) })).toBe("weak");
    expect(await read({ ...rsa, e: "AQAAAAAB" })).toBe("weak");
    expect(await read({ ...rsa, e: "AQ" })).toBe("weak");
    expect(await read(7)).toBe("malformed");
  });

  it("one bad key takes nothing from the others, and the body holds public members alone", async () => {
    const { key } = await generateSigningKey();
    const body = JSON.stringify({ keys: [7, { kty: "oct", k: "AA" }, { ...key.publicJwk, kid: key.keyId }] });
    const set = await readKeySet(bytes(body), { kid: "thumbprint" });
    assert(set.ok, "it is read");
    expect([...set.value.keys.keys()]).toEqual([key.keyId]);
    expect(set.value.dropped).toEqual(["malformed", "private_member"]);
    const smuggled = { ...key, publicJwk: { ...key.publicJwk, d: "private" } };
    expect(JSON.parse(directoryDocument([smuggled]))).toEqual({
      keys: [{ ...key.publicJwk, kid: key.keyId, use: "sig" }],
    });
  });
});

describe("PLG-7 the directory's own signature", () => {
  it("is served with every key, may be kept, and is answered shortly when nothing changed", async () => {
    const { key } = await generateSigningKey();
    const { key: other } = await generateSigningKey();
    const now = () => NOON_S * 1000;
    const answer = await serveDirectory(new Request(DIRECTORY), { keys: [key, other], now });
    expect(answer.headers.get("content-type")).toBe(TYPE);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
    const body = new Uint8Array(await answer.clone().arrayBuffer());
    const set = await readKeySet(body, { kid: "thumbprint" });
    assert(set.ok, "it is read");
    const response = {
      status: 200,
      headers: [...answer.headers],
      request: { method: "GET", url: DIRECTORY, headers: [] },
    };
    const held = await directoryPossession(response, body, { keys: set.value.keys, nowS: NOON_S });
    expect(held.map((one) => one.ok && one.value.keyId)).toEqual([key.keyId, other.keyId]);

    const etag = answer.headers.get("etag") ?? "";
    const again = await serveDirectory(new Request(DIRECTORY, { headers: { "if-none-match": etag } }), {
      keys: [key, other],
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await serveDirectory(new Request(DIRECTORY, { method: "HEAD" }), { keys: [key] });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await serveDirectory(new Request(DIRECTORY, { method: "POST" }), { keys: [key] })).status).toBe(405);
  });

  it("P4 N31 E.2.3 holds; in the future, over, about other bytes or another authority, it proves nothing", async () => {
    const given = vector("E.2.3");
    assert(given.response !== undefined, "it is a response");
    const key = await vectorKey("ed25519");
    const judged = async (change: { body?: string; url?: string; nowS?: number; headers?: Record<string, string> }) => {
      const { body = given.response?.body ?? "", url = given.request.url, nowS = NOON_S, headers = {} } = change;
      const [one] = await directoryPossession(
        {
          status: 200,
          headers: lines({ ...given.response?.headers, ...headers }),
          request: { method: "GET", url, headers: [] },
        },
        bytes(body),
        { keys: new Map([[key.keyId, key]]), nowS },
      );
      return one?.ok === true ? "proven" : one?.reason;
    };
    expect(await judged({})).toBe("proven");
    expect(await judged({ nowS: 1_735_689_600 - 31 })).toBe("clock_ahead");
    expect(await judged({ nowS: 4_889_289_600 + 31 })).toBe("expired");
    expect(await judged({ body: "{}" })).toBe("content_digest_mismatch");
    expect(await judged({ url: DIRECTORY })).toBe("bad_signature");
    const input = given.signatureInput.replace(' "content-digest"', "");
    expect(await judged({ headers: { "Signature-Input": input } })).toBe("not_covered");
  });
});

describe("PLG-7 cards and registries, as the vectors say", () => {
  it.each(VECTORS.signatureAgentCards.map((one) => [one.name, one] as const))("%s", async (_name, given) => {
    expect((await readCard(JSON.stringify(given.card), given.retrievedFrom)).ok).toBe(given.valid);
  });

  it.each(VECTORS.registryFiles.map((one) => [one.name, one] as const))("%s", (_name, { text, cards }) => {
    expect(readRegistry(text)).toEqual({ ok: true, value: cards });
    expect(readRegistry(text.replaceAll("\n", "\r\n"))).toEqual({ ok: true, value: cards });
  });

  it("inline cards and plain addresses are no entries; a # inside a URL is part of it", () => {
    expect(readRegistry("data:application/json,{}").ok).toBe(false);
    expect(readRegistry("http://a.example/card").ok).toBe(false);
    expect(readRegistry("https://a.example/card#x").ok).toBe(false);
  });

  it("N34 a card is where it says it is, letter for letter, and has one source of keys", async () => {
    const { key } = await generateSigningKey();
    const url = "https://agent.example/card";
    const place: AgentPlace = { url, identifier: url, format: "card" };
    const card = { client_id: url, jwks: { keys: [{ ...key.publicJwk }] } };
    const found = async (given: Json) => (await site(() => Response.json(given)).find(key.keyId, place)).kind;
    expect(await found(card)).toBe("found");
    expect(await found({ ...card, client_id: `${url}/` })).toBe("unavailable");
    expect(await found({ ...card, client_id: url.toUpperCase() })).toBe("unavailable");
    expect(await found({ ...card, jwks_uri: "https://agent.example/jwks" })).toBe("unavailable");
    expect(await found({ client_id: url })).toBe("unavailable");
    expect(await found({ client_id: url, jwks_uri: "http://agent.example/jwks" })).toBe("unavailable");
  });

  it("P14 the second hop of a card is fetched, and there is no third", async () => {
    const { key } = await generateSigningKey();
    const url = "https://agent.example/card";
    const asked: string[] = [];
    const keys = directoryKeys({
      async fetch(request) {
        asked.push(request.url);
        if (request.url === url) return Response.json({ client_id: url, jwks_uri: "https://agent.example/jwks" });
        return Response.json({ keys: [{ ...key.publicJwk }] });
      },
    });
    const found = await keys.find({ url, identifier: url, format: "card" }, key.keyId);
    expect([found.kind, asked]).toEqual(["found", [url, "https://agent.example/jwks"]]);
  });
});
