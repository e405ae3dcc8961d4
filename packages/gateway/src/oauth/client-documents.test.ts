import type { Fetch } from "@countersign/plugin";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEmbedded } from "../store/fixture.ts";
import type { Store } from "../store/store.ts";
import { documentUrl, readClientDocument, returnsTo } from "./client-document.ts";
import { createClientDocuments, type UnknownClients } from "./client-documents.ts";
import { recorder } from "./fixture.ts";
import { CLIENT_DOCUMENT_STALE_MS, CLIENT_DOCUMENTS_PER_MINUTE } from "./limits.ts";

const ID = "https://agent.example/client.json";
const GOOD = { client_id: ID, client_name: "Agent", redirect_uris: ["https://agent.example/back"] };
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe("what is the address of a document", () => {
  test.each([ID, "https://agent.example/a?b=c", "https://agent.example:8443/x", "https://xn--gent-5na.example/c"])(
    "%s",
    (id) => expect(documentUrl(id, { loopback: "refused" })?.href).toBe(id),
  );
  test.each([
    "https://agent.example/",
    "https://agent.example",
    "http://agent.example/client.json",
    "http://localhost:1/client.json",
    "https://user@agent.example/client.json",
    "https://agent.example/client.json#",
    "https://agent.example/client.json#x",
    "https://agent.example/a/../client.json",
    "https://agent.example/a/%2e%2E/client.json",
    "https://AGENT.example/client.json",
    "https://agent.example:443/client.json",
    "HTTPS://agent.example/client.json",
    " https://agent.example/client.json",
    "https://agent.example/client json",
    "https://ägent.example/client.json",
    `https://agent.example/${"a".repeat(600)}`,
    "agt_anna",
  ])("U31 not %s", (id) => expect(documentUrl(id, { loopback: "refused" })).toBeUndefined());
  test("plain http is this machine's alone, and only where it is allowed", () => {
    expect(documentUrl("http://localhost:1/c", { loopback: "allowed" })).toBeDefined();
    expect(documentUrl("http://localhost.evil.example/c", { loopback: "allowed" })).toBeUndefined();
  });
  test("whatever text comes, an address that is taken is spelled as the standard spells it", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (text) => {
        const url = documentUrl(text, { loopback: "refused" });
        if (url !== undefined) expect([url.href, url.protocol]).toEqual([text, "https:"]);
      }),
    );
  });
});

describe("what a document may say", () => {
  test.each<[string, unknown, string]>([
    ["another id", { ...GOOD, client_id: "https://other.example/client.json" }, "other_client_id"],
    ["no id", { redirect_uris: GOOD.redirect_uris }, "other_client_id"],
    ["a secret", { ...GOOD, client_secret: "x" }, "shared_secret"],
    ["a method that needs a secret", { ...GOOD, token_endpoint_auth_method: "client_secret_basic" }, "shared_secret"],
    [
      "a method that is not spoken here",
      { ...GOOD, token_endpoint_auth_method: "private_key_jwt" },
      "unsupported_authentication",
    ],
    ["no address to go back to", { ...GOOD, redirect_uris: [] }, "no_redirect_uri"],
    [
      "addresses that are not its own",
      { ...GOOD, redirect_uris: ["https://evil.example/", "app.x:/cb", 7] },
      "no_redirect_uri",
    ],
    ["another port", { ...GOOD, redirect_uris: ["https://agent.example:8443/back"] }, "no_redirect_uri"],
    ["a fragment", { ...GOOD, redirect_uris: ["https://agent.example/back#x"] }, "no_redirect_uri"],
    ["a list", [GOOD], "not_json"],
    ["too much", { ...GOOD, x: "x".repeat(6_000) }, "not_json"],
  ])("refused: %s", (_name, document, reason) => {
    expect(readClientDocument(ID, bytes(document))).toEqual({ ok: false, reason });
  });
  test("its own origin and this machine count; the rest of its list does not", () => {
    const redirect_uris = [
      "https://agent.example/back",
      "http://127.0.0.1/cb",
      "http://localhost:1/cb",
      "https://evil.example/",
    ];
    const read = readClientDocument(ID, bytes({ ...GOOD, redirect_uris }));
    expect(read).toMatchObject({ ok: true, value: { redirectUris: redirect_uris.slice(0, 3) } });
    expect(returnsTo("http://127.0.0.1/cb")).toEqual({ kind: "this_device" });
    expect(returnsTo("https://agent.example/back")).toEqual({ kind: "site", origin: "https://agent.example" });
    expect(returnsTo("org.app:/cb")).toEqual({ kind: "app", scheme: "org.app" });
  });
  test("a name is its own word, and short", () => {
    const read = readClientDocument(ID, bytes({ ...GOOD, client_name: `  ${"é".repeat(100)}` }));
    expect(read).toMatchObject({ ok: true, value: { name: "é".repeat(60) } });
    expect(readClientDocument(ID, bytes({ ...GOOD, client_name: 7 }))).toMatchObject({ value: { name: "" } });
  });
});

describe("when a document is fetched, and how long it counts", () => {
  let store: Store;
  let clock = 0;
  let asked: string[];
  let answer: () => Promise<Response>;
  let find: (id?: string, unknown?: UnknownClients) => Promise<unknown>;
  const lines: string[] = [];
  beforeEach(async () => {
    store = await openEmbedded(":memory:");
    clock = Date.UTC(2031, 4, 1);
    asked = [];
    lines.length = 0;
    answer = async () => Response.json(GOOD);
    const fetch: Fetch = async (request) => {
      asked.push(request.url);
      return answer();
    };
    const documents = createClientDocuments({
      fetch,
      rules: { loopback: "refused" },
      now: () => clock,
      log: recorder(lines),
    });
    find = (id = ID, unknown = "looked_at") => documents.find(store.db, id, unknown);
  });
  afterEach(() => store.close());

  test("it is kept: once fetched, it is looked at again only when it is no longer fresh", async () => {
    expect(await find()).toMatchObject({ clientId: ID, name: "Agent" });
    clock += 59_000;
    await find();
    expect(asked).toHaveLength(1);
    clock += 1_000;
    await find();
    expect(asked).toHaveLength(2);
  });

  test("its server says how long, within bounds", async () => {
    answer = async () => Response.json(GOOD, { headers: { "cache-control": "public, max-age=99999999" } });
    await find();
    clock += 24 * 3_600_000 - 1;
    await find();
    expect(asked).toHaveLength(1);
    clock += 1;
    await find();
    expect(asked).toHaveLength(2);
  });

  test.each<[string, () => Promise<Response>]>([
    ["does not answer", async () => Promise.reject(new Error("lost"))],
    ["fails", async () => new Response("", { status: 503 })],
    ["has had enough", async () => new Response("", { status: 429 })],
  ])("an outage leaves it as it was, for a month: its server %s", async (_name, outage) => {
    await find();
    answer = outage;
    clock += CLIENT_DOCUMENT_STALE_MS - 1;
    expect(await find()).toMatchObject({ name: "Agent" });
    clock += 60_000;
    expect(await find()).toBeUndefined();
  });

  test.each<[string, () => Promise<Response>]>([
    ["gone", async () => new Response("", { status: 404 })],
    ["elsewhere", async () => new Response("", { status: 302, headers: { location: "https://evil.example/" } })],
    ["about somebody else", async () => Response.json({ ...GOOD, client_id: "https://evil.example/c" })],
    ["no JSON", async () => new Response("<html>")],
  ])("it ends at the next look when it is %s, even when the old one comes back later", async (_name, change) => {
    await find();
    answer = change;
    clock += 60_000;
    expect(await find()).toBeUndefined();
    expect(await store.db.selectFrom("client_document").selectAll().execute()).toEqual([]);
    expect(lines.join()).not.toMatch(/agent\.example|evil/);
  });

  test("a change counts at the next look", async () => {
    await find();
    answer = async () => Response.json({ ...GOOD, client_name: "Renamed" });
    clock += 60_000;
    expect(await find()).toMatchObject({ name: "Renamed" });
  });

  test("nobody is asked about an address that no client asked from, or again soon after a failure", async () => {
    expect(await find(ID, "ignored")).toBeUndefined();
    expect(asked).toEqual([]);
    answer = async () => new Response("", { status: 500 });
    for (let n = 0; n < 10; n += 1) expect(await find()).toBeUndefined();
    expect(asked).toHaveLength(1);
    clock += 30_000;
    await find();
    expect(asked).toHaveLength(2);
  });

  test("U51 strangers' addresses are looked at a few in a minute, and those that are known go on", async () => {
    await find();
    for (let n = 0; n < 200; n += 1) await find(`https://stranger${n}.example/c`);
    expect(asked.length).toBe(CLIENT_DOCUMENTS_PER_MINUTE);
    clock += 30_000;
    expect(await find()).toMatchObject({ name: "Agent" });
    clock += 30_001;
    await find("https://stranger0.example/c");
    expect(asked.length).toBe(CLIENT_DOCUMENTS_PER_MINUTE + 1);
  });

  test("many at once are one look", async () => {
    await Promise.all(Array.from({ length: 20 }, () => find()));
    expect(asked).toHaveLength(1);
  });
});
