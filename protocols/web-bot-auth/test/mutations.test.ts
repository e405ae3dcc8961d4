import type { HttpRequest, VerifierOptions } from "@countersign/web-bot-auth";
import { contentDigest } from "@countersign/web-bot-auth/signatures";
import { describe, expect, it } from "vitest";
import { GET, header, NOON_S, POST, withHeaders, world } from "./support/world.ts";

// A valid signature, changed in one place. Each row says what it is called then; a verifier that lets one through, or
// calls it by another name, goes red here.

type Change = (signed: HttpRequest) => HttpRequest;

const inInput =
  (from: string | RegExp, to: string): Change =>
  (signed) => {
    const before = header(signed, "signature-input");
    const after = before.replace(from, to);
    if (after === before) throw new Error("the change changes nothing");
    return withHeaders(signed, [["signature-input", after]]);
  };
const set =
  (...headers: readonly (readonly [string, string])[]): Change =>
  (signed) =>
    withHeaders(signed, headers);
const without =
  (name: string): Change =>
  (signed) => ({ ...signed, headers: [...signed.headers].filter(([given]) => given !== name) });
const signatureBytes =
  (change: (bytes: Uint8Array) => Uint8Array): Change =>
  (signed) => {
    const text = /:(.*):/.exec(header(signed, "signature"))?.[1] ?? "";
    const bytes = change(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
    return withHeaders(signed, [["signature", `sig1=:${btoa(String.fromCharCode(...bytes))}:`]]);
  };

const INVALID: readonly (readonly [string, Change, string])[] = [
  ["N1 nothing is covered", inInput(/\(.*?\)/, "()"), "target_not_covered"],
  ["N1 no target is covered", inInput('"@authority" ', ""), "target_not_covered"],
  ["N2 no created", inInput(/;created=[0-9]+/, ""), "missing_fields"],
  ["N2 no expires", inInput(/;expires=[0-9]+/, ""), "missing_fields"],
  ["N2 no keyid", inInput(/;keyid="[^"]*"/, ""), "missing_fields"],
  ["N2 created is a decimal", inInput(/created=([0-9]+)/, "created=$1.5"), "missing_fields"],
  ["N2 created is a whole decimal", inInput(/created=([0-9]+)/, "created=$1.0"), "missing_fields"],
  ["N2 created is a string", inInput(/created=([0-9]+)/, 'created="$1"'), "missing_fields"],
  ["N2 created is a date", inInput(/created=([0-9]+)/, "created=@$1"), "missing_fields"],
  ["N2 created is a date, at the end", inInput(/;created=([0-9]+)(.*)$/, "$2;created=@$1"), "missing_fields"],
  ["N2 created is before time began", inInput(/created=([0-9]+)/, "created=-1"), "missing_fields"],
  ["N2 keyid is a token", inInput(/keyid="([^"]*)"/, "keyid=k$1"), "missing_fields"],
  ["a nonce that is a number", inInput(/nonce="[^"]*"/, "nonce=7"), "missing_fields"],
  ["an alg that is a token", inInput('alg="ed25519"', "alg=ed25519"), "missing_fields"],
  ["a keyid that is no thumbprint", inInput(/keyid="[^"]*"/, 'keyid="key-1"'), "bad_keyid"],
  ["an empty nonce", inInput(/nonce="[^"]*"/, 'nonce=""'), "missing_fields"],
  ["a nonce that is too long", inInput(/nonce="[^"]*"/, `nonce="${"n".repeat(257)}"`), "missing_fields"],
  ["N4 expires is created", inInput(/expires=[0-9]+/, `expires=${NOON_S}`), "window"],
  ["N4 a window of a day and a second", inInput(/expires=[0-9]+/, `expires=${NOON_S + 86_401}`), "window"],
  ["created moved", inInput(/created=[0-9]+/, `created=${NOON_S - 1}`), "bad_signature"],
  ["expires moved", inInput(/expires=[0-9]+/, `expires=${NOON_S + 61}`), "bad_signature"],
  ["the nonce replaced", inInput(/nonce="[^"]*"/, 'nonce="another"'), "bad_signature"],
  ["the nonce taken away", inInput(/;nonce="[^"]*"/, ""), "bad_signature"],
  ["alg taken away", inInput(/;alg="[^"]*"/, ""), "bad_signature"],
  ["a parameter put in", inInput(/;tag=/, ";more=1;tag="), "bad_signature"],
  ["parameters in another order", inInput(/(;alg="[^"]*")(;expires=[0-9]+)/, "$2$1"), "bad_signature"],
  ["a component taken away", inInput('"@method" ', ""), "bad_signature"],
  ["components in another order", inInput('"@method" "@authority"', '"@authority" "@method"'), "bad_signature"],
  ["N8 a component twice", inInput('"@method"', '"@method" "@method"'), "duplicate_component"],
  ["N9 a covered header that is not there", inInput('"@method"', '"@method" "accept-language"'), "missing_component"],
  ["a component nobody knows", inInput('"@method"', '"@nonsense"'), "bad_component"],
  ["a component in capitals", inInput('"@method"', '"Accept"'), "bad_component"],
  ["a component of the request in a request", inInput('"@method"', '"@method";req'), "bad_component"],
  ["a status in a request", inInput('"@method"', '"@status"'), "bad_component"],
  [
    "33 components",
    inInput('"@method"', `"@method" ${Array.from({ length: 32 }, (_, n) => `"x-${n}"`).join(" ")}`),
    "too_large",
  ],
  ["a component that is no string", inInput('"@method"', "method"), "malformed"],
  [
    "N5 one bit of the signature",
    signatureBytes((b) => b.map((byte, at) => (at === 9 ? byte ^ 1 : byte))),
    "bad_signature",
  ],
  ["N5 63 bytes", signatureBytes((b) => b.slice(0, 63)), "bad_signature"],
  ["65 bytes", signatureBytes((b) => Uint8Array.from([...b, 0])), "bad_signature"],
  ["no bytes", signatureBytes(() => new Uint8Array()), "bad_signature"],
  ["zero bytes", signatureBytes((b) => b.map(() => 0)), "bad_signature"],
  ["N6 another host", (s) => ({ ...s, url: s.url.replace("shop.example", "other.example") }), "bad_signature"],
  ["N6 another port", (s) => ({ ...s, url: s.url.replace("shop.example", "shop.example:8443") }), "bad_signature"],
  ["N6 another path", (s) => ({ ...s, url: s.url.replace("/catalogue", "/checkout") }), "bad_signature"],
  ["N6 another query", (s) => ({ ...s, url: s.url.replace("page=2", "page=3") }), "bad_signature"],
  ["N6 another method", (s) => ({ ...s, method: "DELETE" }), "bad_signature"],
  ["a blank in the target", (s) => ({ ...s, url: `${s.url} ` }), "malformed"],
  ["a tab in the target", (s) => ({ ...s, url: s.url.replace("?", "\t?") }), "malformed"],
  ["over plain HTTP", (s) => ({ ...s, url: s.url.replace("https:", "http:") }), "plain_http"],
  ["N10 a label in one header alone", set(["signature", "other=:AAAA:"]), "label_mismatch"],
  ["N10 no signature", without("signature"), "label_mismatch"],
  ["N10 no signature input", without("signature-input"), "label_mismatch"],
  ["N11 a label twice", (s) => inInput(/^(.*)$/, "$1, $1")(s), "duplicate"],
  [
    "17 labels",
    (s) => {
      const more = (value: string) => Array.from({ length: 16 }, (_, n) => `, x${n}=${value}`).join("");
      return set(
        ["signature-input", header(s, "signature-input") + more("()")],
        ["signature", header(s, "signature") + more("::")],
      )(s);
    },
    "too_large",
  ],
  ["a parameter twice", inInput(/;created=/, ";created=1;created="), "duplicate"],
  ["N12 a signature that is a string", set(["signature", 'sig1="AAAA"']), "malformed"],
  ["N12 a signature that is a token", set(["signature", "sig1=AAAA"]), "malformed"],
  ["a signature with parameters", (s) => set(["signature", `${header(s, "signature")};x=1`])(s), "malformed"],
  ["an input that is no list", set(["signature-input", 'sig1="x"']), "malformed"],
  ["an input that cannot be read", set(["signature-input", "sig1=(("]), "malformed"],
  ["an input in another alphabet", inInput("sig1", "sig1é"), "malformed"],
  ["an input that is too long", inInput(/nonce="[^"]*"/, `nonce="${"n".repeat(9000)}"`), "too_large"],
  ["N13 an agent that is not covered", inInput(' "signature-agent";key="sig1"', ""), "agent_not_covered"],
  ["N16 an agent that cannot be read", set(["signature-agent", "sig1=,"]), "agent_malformed"],
  [
    "an agent twice under one key",
    (s) => set(["signature-agent", `${header(s, "signature-agent")}, sig1="https://evil.example"`])(s),
    "agent_malformed",
  ],
  ["N16 no agent at all", set(["signature-agent", ""]), "agent_malformed"],
  [
    "the covered member is not there",
    set(["signature-agent", 'other="https://agent.example"']),
    "agent_member_missing",
  ],
  ["N18 an agent over plain HTTP", set(["signature-agent", 'sig1="http://agent.example"']), "agent_scheme"],
  ["N21 the string of earlier drafts", set(["signature-agent", '"https://agent.example"']), "agent_legacy"],
  ["an unkeyed agent", inInput(';key="sig1"', ""), "agent_legacy"],
  ["N22 HMAC", inInput('alg="ed25519"', 'alg="hmac-sha256"'), "forbidden_algorithm"],
  ["N22 an algorithm of another key", inInput('alg="ed25519"', 'alg="rsa-pss-sha512"'), "algorithm_mismatch"],
];

const UNVERIFIED: readonly (readonly [string, Change, string])[] = [
  ["N22 an algorithm spelled otherwise", inInput('alg="ed25519"', 'alg="Ed25519"'), "unsupported_algorithm"],
  ["an algorithm that is not done here", inInput('alg="ed25519"', 'alg="ecdsa-p384-sha384"'), "unsupported_algorithm"],
  ["a component that is not built here", inInput('"@method"', '"@method" "@query-param";name="a"'), "unsupported"],
  ["a parameter that is not built here", inInput(/;tag=/, ";more=@5;tag="), "unsupported"],
  [
    "a covered member that is not built here",
    (s) => inInput('"@method"', '"@method" "x-when";key="a"')(withHeaders(s, [["x-when", "a=@5"]])),
    "unsupported",
  ],
  ["a component parameter that is not built here", inInput('"@method"', '"accept";sf'), "unsupported"],
  ["N17 an agent that is a token", set(["signature-agent", "sig1=https://agent.example"]), "agent_ignored"],
  ["N17 an agent that is true", set(["signature-agent", "sig1"]), "agent_ignored"],
  ["N17 an agent that is a number", set(["signature-agent", "sig1=7"]), "agent_ignored"],
  ["N17 an agent that is a list", set(["signature-agent", 'sig1=("https://agent.example")']), "agent_ignored"],
  ["N18 an agent that is data", set(["signature-agent", 'sig1="data:application/json,{}"']), "agent_ignored"],
  ["N19 an origin with a path", set(["signature-agent", 'sig1="https://agent.example/keys"']), "agent_ignored"],
  ["N19 an origin in capitals", set(["signature-agent", 'sig1="https://Agent.example"']), "agent_ignored"],
  ["N19 an unknown type", set(["signature-agent", 'sig1="https://agent.example";type=other']), "agent_ignored"],
  [
    "N19 a type that is a string",
    set(["signature-agent", 'sig1="https://agent.example/k";type="jwks_uri"']),
    "agent_ignored",
  ],
  ["another port", set(["signature-agent", 'sig1="https://agent.example:8443"']), "agent_ignored"],
  ["an address instead of a name", set(["signature-agent", 'sig1="https://127.0.0.1"']), "agent_ignored"],
  ["an address of IPv6", set(["signature-agent", 'sig1="https://[::1]"']), "agent_ignored"],
  ["a user name", set(["signature-agent", 'sig1="https://a@agent.example"']), "agent_ignored"],
  ["a fragment", set(["signature-agent", 'sig1="https://agent.example/k#x";type=jwks_uri']), "agent_ignored"],
];

async function outcomeOf(change: Change, options: Partial<VerifierOptions> = {}, of: HttpRequest = GET) {
  const here = await world(options);
  const signed = await here.sign(of);
  // What is changed was valid.
  const control = await here.verify(signed);
  if (control.outcome !== "verified") throw new Error("the signature that is changed is not valid");
  here.keys.asked.length = 0;
  return { here, verification: await here.verify(change(signed)) };
}

describe("PLG-7 a valid signature, changed in one place, has a name for what is wrong with it", () => {
  it.each(INVALID)("%s", async (_name, change, reason) => {
    const { here, verification } = await outcomeOf(change);
    expect(verification.outcome).toBe("invalid");
    expect(verification.results).toEqual([expect.objectContaining({ outcome: "invalid", reason })]);
    // Whatever can be seen without asking anybody is seen before anybody is asked.
    if (reason !== "bad_signature" && reason !== "algorithm_mismatch") expect(here.keys.asked).toEqual([]);
  });

  it.each(UNVERIFIED)("%s", async (_name, change, reason) => {
    const { here, verification } = await outcomeOf(change);
    // The changed header was signed, so where a key were found the signature would fail; none is, and nobody is asked.
    expect(verification.results).toEqual([expect.objectContaining({ outcome: "unverified", reason })]);
    expect(here.keys.asked).toEqual([]);
  });

  it("N3 past its time and before its time, by more than clocks may differ", async () => {
    let nowS = NOON_S;
    const here = await world({ now: () => nowS * 1000 });
    const at = async (s: number) => {
      nowS = NOON_S;
      const signed = await here.sign(GET);
      nowS = s;
      const [result] = (await here.verify(signed)).results;
      return result?.outcome === "invalid" ? result.reason : result?.outcome;
    };
    expect(await at(NOON_S + 60 + 30)).toBe("verified");
    expect(await at(NOON_S + 60 + 31)).toBe("expired");
    expect(await at(NOON_S - 30)).toBe("verified");
    expect(await at(NOON_S - 31)).toBe("clock_ahead");
  });

  it("another agent's URL: its directory is asked, and does not have the key", async () => {
    const { verification } = await outcomeOf(set(["signature-agent", 'sig1="https://evil.example"']));
    expect(verification.results).toEqual([
      expect.objectContaining({ outcome: "unverified", reason: "directory_unavailable" }),
    ]);
  });

  it("N14 a covered agent that was taken away is missing", async () => {
    const { verification } = await outcomeOf(without("signature-agent"));
    expect(verification.results).toEqual([
      expect.objectContaining({ outcome: "invalid", reason: "missing_component" }),
    ]);
  });

  it("N30 a body other than the digest's, and a digest other than the signed one", async () => {
    const other = new TextEncoder().encode('{"sku":"tea","quantity":200}');
    const changed = await outcomeOf((s) => ({ ...s, body: other }), {}, POST);
    expect(changed.verification.results).toEqual([
      expect.objectContaining({ outcome: "invalid", reason: "content_digest_mismatch" }),
    ]);
    const digest = await contentDigest(other);
    const both = await outcomeOf((s) => withHeaders({ ...s, body: other }, [["content-digest", digest]]), {}, POST);
    expect(both.verification.results).toEqual([expect.objectContaining({ reason: "bad_signature" })]);
  });

  it("N36 a covered header that is not ASCII; one that nobody covers changes nothing", async () => {
    const here = await world();
    const signed = await here.sign(GET, { alsoCover: ["accept"] });
    expect((await here.verify(withHeaders(signed, [["x-name", "é"]]))).outcome).toBe("verified");
    const changed = await here.verify(withHeaders(signed, [["accept", "é"]]));
    expect(changed.results).toEqual([expect.objectContaining({ outcome: "invalid", reason: "bad_component" })]);
    // Nor one that is longer than anybody needs.
    const long = await here.verify(withHeaders(signed, [["accept", "a".repeat(16 * 1024 + 1)]]));
    expect(long.results).toEqual([expect.objectContaining({ outcome: "invalid", reason: "bad_component" })]);
  });
});
