import type { HeldRequest, IdentitySigner, PluginCtx } from "@countersign/plugin";
import { secret } from "@countersign/wire";
import { afterEach, expect, it, vi } from "vitest";
import { IDENTITY_SIGN_MS } from "../limits.ts";
import { heldSignedBy, type Signing, signedBy } from "./identity.ts";

afterEach(() => vi.useRealTimers());

const request = () =>
  new Request("https://shop.example/order", {
    method: "POST",
    headers: { authorization: "Bearer ours", "content-type": "application/json" },
    body: "order",
  });

function signingBy(signers: Readonly<Record<string, IdentitySigner>>) {
  const unsigned: string[] = [];
  const signing: Signing = {
    signers: new Map(Object.entries(signers)),
    ctxFor: (id) => ({ id }) as unknown as PluginCtx,
    onUnsigned: (id, why) => void unsigned.push(`${id}: ${why}`),
  };
  return { signing, unsigned };
}

function adding(headers: Readonly<Record<string, string>>): IdentitySigner {
  return {
    async sign(_ctx, asked) {
      const all = new Headers(asked.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      return new Request(asked, { headers: all, ...(asked.method === "POST" ? { body: "changed" } : {}) });
    },
  };
}

it("PLG-7 a signer adds headers, and changes neither those that are there nor the body", async () => {
  const signer = adding({ "x-proof": "p", authorization: "Bearer theirs", "content-type": "text/plain" });
  const signed = await signedBy(signingBy({ one: signer }).signing, request());
  expect(Object.fromEntries(signed.headers)).toMatchObject({
    "x-proof": "p",
    authorization: "Bearer ours",
    "content-type": "application/json",
  });
  expect(await signed.text()).toBe("order");
  expect(signed.method).toBe("POST");
});

it("several sign one after the other, by their ids; a second signature stands behind the first", async () => {
  const seen: string[] = [];
  const second: IdentitySigner = {
    async sign(_ctx, asked) {
      seen.push(asked.headers.get("signature") ?? "");
      const headers = new Headers(asked.headers);
      headers.set("signature", `${asked.headers.get("signature")}, b=:B:`);
      headers.set("signature-agent", `${asked.headers.get("signature-agent")}, b="https://b.example"`);
      return new Request(asked, { headers });
    },
  };
  const first = adding({ signature: "a=:A:", "signature-agent": 'a="https://a.example"' });
  const { signing } = signingBy({ c: adding({ signature: "c=:C:" }), b: second, a: first });
  const signed = await signedBy(signing, request());
  expect(seen).toEqual(["a=:A:"]);
  // The third would have taken the place of the others.
  expect(signed.headers.get("signature")).toBe("a=:A:, b=:B:");
  expect(signed.headers.get("signature-agent")).toBe('a="https://a.example", b="https://b.example"');
});

it("a signer that fails, leads elsewhere or never ends is left out; the request goes with what the others say", async () => {
  vi.useFakeTimers();
  const { signing, unsigned } = signingBy({
    a: { sign: () => Promise.reject(new Error("a secret")) },
    b: { sign: async () => new Request("https://evil.example/") },
    c: { sign: () => new Promise(() => {}) },
    d: adding({ "x-proof": "p" }),
    e: {
      sign: () => {
        throw new Error("at once");
      },
    },
  });
  const signing2 = signedBy(signing, request());
  await vi.advanceTimersByTimeAsync(IDENTITY_SIGN_MS);
  const signed = await signing2;
  expect(unsigned).toEqual(["a: failed", "b: astray", "c: too_slow", "e: failed"]);
  expect([signed.url, signed.headers.get("x-proof")]).toEqual(["https://shop.example/order", "p"]);
  expect(await signed.text()).toBe("order");
});

it("where nobody signs, the request is what it was", async () => {
  const asked = request();
  expect(await signedBy(signingBy({}).signing, asked)).toBe(asked);
});

const held = (change: Partial<HeldRequest> = {}): HeldRequest => ({
  method: "POST",
  url: "https://shop.example/orders?x=1",
  headers: [
    ["Cookie", secret("a=1")],
    ["X-Twice", secret("1")],
    ["X-Twice", secret("2")],
    ["Content-Type", secret("application/octet-stream")],
  ],
  body: secret(new Uint8Array([0, 255, 13, 10])),
  ...change,
});

it("STA-2 what is held is signed and nothing else of it: headers as they were, in their order, and the same bytes", async () => {
  const bytes: Uint8Array[] = [];
  const signer: IdentitySigner = {
    async sign(_ctx, asked) {
      bytes.push(new Uint8Array(await asked.clone().arrayBuffer()));
      const headers = new Headers(asked.headers);
      headers.set("signature", "sig1=:A:");
      headers.set("cookie", "a=2");
      return new Request(asked, { headers });
    },
  };
  const before = held();
  const signed = await heldSignedBy(signingBy({ one: signer }).signing, before);
  expect(bytes).toEqual([new Uint8Array([0, 255, 13, 10])]);
  expect(signed.headers.map(([name, value]) => `${name}: ${value.reveal()}`)).toEqual([
    ...before.headers.map(([name, value]) => `${name}: ${value.reveal()}`),
    "signature: sig1=:A:",
  ]);
  expect([signed.method, signed.url, signed.body]).toEqual([before.method, before.url, before.body]);
});

it("STA-2 no failure of a signer stops what is sent once, nor does a request that no signer can read", async () => {
  const failing = signingBy({ one: { sign: () => Promise.reject(new Error("no")) } });
  const whole = await heldSignedBy(failing.signing, held());
  expect(whole.headers.map(([name]) => name)).toEqual(["Cookie", "X-Twice", "X-Twice", "Content-Type"]);
  const odd = held({ headers: [["x", secret("\u{1f600}")]] });
  const unread = signingBy({ one: adding({ signature: "a=:A:" }) });
  expect(await heldSignedBy(unread.signing, odd)).toBe(odd);
  expect(unread.unsigned).toEqual(["one: unreadable"]);
});

it("what its route does not want signed is not", async () => {
  const quiet = held({ unsigned: true });
  expect(await heldSignedBy(signingBy({ one: adding({ signature: "a=:A:" }) }).signing, quiet)).toBe(quiet);
});
