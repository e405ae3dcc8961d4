import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Application, type ApplicationProblem, readApplication } from "./application.ts";
import { credentialPaths, looksLikeCredential } from "./credential-names.ts";
import { extensionKey, isExtensionUri, isReservedExtension } from "./extension-uri.ts";

const CANARY = "canary-value-that-nobody-may-read";
const URI = "https://ext.example/gifts/v1";

function publishing(...extensions: readonly object[]): object {
  return { name: "Sample", a2a: { extensions: extensions.map((e) => ({ description, ...e })) } };
}
const description = "Something more";

function problems(value: unknown, reserved?: readonly string[]): readonly ApplicationProblem[] {
  const read = readApplication(value, reserved === undefined ? {} : { reserved });
  return read.ok ? [] : read.reason;
}

function accepted(value: unknown): Application {
  const read = readApplication(value);
  if (!read.ok) throw new Error(JSON.stringify(read.reason));
  return read.value;
}

describe("PLG-5 an application file holds references", () => {
  it("takes connections, companies, a company of its own, Brands and extensions, and fills in what is left out", () => {
    const file = {
      name: "Weekly errands",
      mcp: {
        connections: [
          { name: "tickets", url: "https://mcp.example/mcp" },
          { name: "files", program: "file-server" },
        ],
      },
      pap: { companies: ["lindenhof.example"], company: "errands.example" },
      pact: { brands: [{ name: "Harbour Tea", card: "https://desk.example/a2a/HT7/.well-known/agent-card.json" }] },
      a2a: { extensions: [{ uri: URI, description: "Gift wrapping", params: { papers: ["plain", "red"] } }] },
    };
    expect(accepted(file)).toEqual({
      ...file,
      a2a: { extensions: [{ ...file.a2a.extensions[0], required: false }] },
    });
    expect(accepted({ name: "Nothing yet" })).toEqual({ name: "Nothing yet" });
  });

  it.each<[string, object, string]>([
    [
      "a token beside a connection",
      { mcp: { connections: [{ name: "a", url: "https://a.example", token: CANARY }] } },
      "mcp",
    ],
    ["a password in a URL", { mcp: { connections: [{ name: "a", url: `https://me:${CANARY}@a.example` }] } }, "mcp"],
    ["a key in a query", { mcp: { connections: [{ name: "a", url: `https://a.example/?key=${CANARY}` }] } }, "mcp"],
    ["a key in a fragment", { mcp: { connections: [{ name: "a", url: `https://a.example/#${CANARY}` }] } }, "mcp"],
    ["a program's arguments", { mcp: { connections: [{ name: "a", program: `serve --token=${CANARY}` }] } }, "mcp"],
    ["plain http elsewhere", { mcp: { connections: [{ name: "a", url: `http://${CANARY}.example` }] } }, "mcp"],
    ["a company that is no domain", { pap: { companies: [`https://${CANARY}`] } }, "pap.companies[0]"],
    ["pap without anybody", { pap: {} }, "pap"],
    [
      "a card with a query",
      { pact: { brands: [{ name: "b", card: `https://b.example/?${CANARY}` }] } },
      "pact.brands[0].card",
    ],
    ["an unknown block", { vault: { key: CANARY } }, "vault"],
    ["a prototype", JSON.parse(`{"__proto__": {"key": "${CANARY}"}}`) as object, "__proto__"],
  ])("refuses %s and names the place, never the value", (_title, block, path) => {
    const found = problems({ name: "x", ...block });
    expect(found[0]?.path.startsWith(path), JSON.stringify(found)).toBe(true);
    expect(JSON.stringify(found)).not.toContain(CANARY);
  });

  it("refuses what is nested without end before anything walks it", () => {
    let deep: object = {};
    for (let i = 0; i < 5_000; i++) deep = { a: deep };
    expect(problems(publishing({ uri: URI, params: deep }))[0]?.rule).toBe("nested too deep");
  });
});

describe("PLG-6 plugins.md section 3: what an application publishes on a card", () => {
  it.each([
    "http://ext.example/gifts",
    "gifts",
    "ext.example/gifts",
    "//ext.example/gifts",
    "javascript:alert(1)",
    "data:text/plain,x",
    "ftp://ext.example/gifts",
    "urn:",
    "urn:x",
    "urn:gift wrap:1",
    " https://ext.example/gifts",
    "https://me:pw@ext.example/gifts",
    "https://ext.example/gi\u202efts",
    "https:\\\\ext.example\\gifts",
    "https://ext.example/%zz",
    "https://еxt.example/gifts",
    "https://ext.example/gïfts",
    "urn:example:a?b#c",
    "https://ext.example/gifts?access_token=x",
    `https://ext.example/${"a".repeat(600)}`,
  ])("rule 1: %j is neither https nor urn", (uri) => {
    expect(problems(publishing({ uri })).map((p) => p.path)).toEqual(["a2a.extensions[0].uri"]);
  });

  it.each([URI, "urn:example:gifts:1", "https://ext.example:8443/a?b=c#v2"])("rule 1: %s stands", (uri) => {
    expect(accepted(publishing({ uri })).a2a?.extensions).toEqual([{ uri, description, required: false }]);
  });

  const OWN = ["https://countersign.example/ext/", "urn:countersign:"];
  it.each([
    "https://countersign.example/ext/task",
    "https://countersign.example/ext",
    "HTTPS://Countersign.EXAMPLE/ext/task",
    "https://countersign.example:443/ext/task",
    "https://countersign.example./ext/task",
    "https://countersign.example/other/../ext/task",
    "https://countersign.example/other/%2e%2E/ext/task",
    "https://countersign.example/%65xt/task",
    "https://countersign.example/%2565xt/task",
    "https://countersign.example//ext//task",
    "https://countersign.example/ext%2Ftask",
    "https://countersign.example/other%2f..%2fext/task",
    "https://countersign.example/EXT/task",
    "https://countersign%2Eexample/ext/task",
    "urn:countersign:task",
    "URN:Countersign:task",
    "urn:countersign:%74ask",
  ])("rule 2: %s is the gateway's own, however it is spelt", (uri) => {
    expect(problems(publishing({ uri }), OWN).map((p) => p.rule)).toEqual([
      "stands under a prefix that is the gateway's own",
    ]);
  });

  it.each([
    "https://countersign.example/extras",
    "https://countersign.example/other",
    "https://countersign.example:8443/ext/task",
    "https://notcountersign.example/ext/task",
    "https://countersign.example.evil.example/ext/task",
    "urn:countersigner:task",
    "urn:example:urn:countersign:task",
  ])("rule 2: %s is somebody else's", (uri) => {
    expect(problems(publishing({ uri }), OWN)).toEqual([]);
  });

  it("rule 2: whatever is escaped, the gateway's own stays its own", () => {
    const own = "https://countersign.example/ext/task";
    const escaping = fc.array(fc.boolean(), { minLength: own.length, maxLength: own.length });
    fc.assert(
      fc.property(escaping, (which) => {
        const from = own.indexOf("/ext") + 1;
        const uri = [...own]
          .map((c, at) => (at >= from && which[at] ? `%${c.charCodeAt(0).toString(16)}` : c))
          .join("");
        return isReservedExtension(uri, OWN);
      }),
    );
  });

  it.each([
    [URI, URI],
    [URI, "HTTPS://EXT.example:443/gifts/./v1"],
    [URI, "https://ext.example/%67ifts/v1/"],
    ["urn:example:gifts", "URN:Example:%67ifts"],
  ])("rule 3: %s and %s are one extension", (a, b) => {
    expect(problems(publishing({ uri: a }, { uri: b }))).toEqual([
      { path: "a2a.extensions[1].uri", rule: "the same extension twice" },
    ]);
  });

  it.each([
    ...["token", "api_key", "apikey", "password", "passwd", "secret", "client_secret", "private_key"],
    ...["authorization", "cookie", "credential", "bearer", "APIKey", "Api-Key", "x.api.key", "accessToken"],
    ...["ACCESSTOKEN", "session cookie", "Credentials", "tokens", "refresh_token", "ｔoken", "t\u200boken", "tоken"],
  ])("rule 5: params named %j are refused at any depth, by their path alone", (name) => {
    for (const params of [{ [name]: CANARY }, { a: { b: [{ c: 1 }, { [name]: { deep: CANARY } }] } }]) {
      const found = problems(publishing({ uri: URI, params }));
      expect(found.map((p) => p.rule)).toEqual(["looks like a credential, and a card is public"]);
      expect(found[0]?.path).toContain("a2a.extensions[0].params");
      expect(JSON.stringify(found)).not.toContain(CANARY);
    }
  });

  it.each(["tokenizer", "secretary", "keyboard", "biscuits", "passwordless", "bearing", "papers", "максимум"])(
    "rule 5: %s is an ordinary name",
    (name) => {
      expect(looksLikeCredential(name)).toBe(false);
    },
  );

  it("rule 5: a token, a private key or a JWK is refused whatever it is called", () => {
    const values = [
      "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
      `see eyJh.eyJz.${CANARY}`,
      "-----BEGIN PRIVATE KEY-----\nx",
    ];
    for (const value of values) expect(credentialPaths({ note: [value] })).toEqual(["note[0]"]);
    expect(credentialPaths({ note: { kty: "OKP", crv: "Ed25519", d: CANARY } })).toEqual(["note"]);
    expect(credentialPaths({ note: { kty: "OKP", crv: "Ed25519", x: "public" } })).toEqual([]);
  });

  it("rule 5: what is published goes out exactly as written", () => {
    const params = { z: 1.5, a: [null, true, { "ä ö": "x" }], m: "" };
    const [extension] = accepted(publishing({ uri: URI, required: true, params })).a2a?.extensions ?? [];
    expect(JSON.stringify(extension?.params)).toBe(JSON.stringify(params));
    expect(extension?.required).toBe(true);
  });

  it("the key of a URI is a fixed point, and a legal URI's key is one that is legal too", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const key = extensionKey(url.replace(/^http:/, "https:"));
        return extensionKey(key) === key && (isExtensionUri(key) || !isExtensionUri(url));
      }),
    );
  });
});
