import type { IdentitySigner, PluginCtx } from "@countersign/plugin";
import { expect, it } from "vitest";
import { signedBy } from "./identity.ts";

const ctxFor = (id: string): PluginCtx => ({ id }) as unknown as PluginCtx;
const request = () =>
  new Request("https://shop.example/order", {
    method: "POST",
    headers: { authorization: "Bearer ours", "content-type": "application/json" },
    body: "order",
  });

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
  const signed = await signedBy(new Map([["one", signer]]), ctxFor, request());
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
      return new Request(asked, { headers });
    },
  };
  const third = adding({ signature: "c=:C:" });
  const signers = new Map([
    ["c", third],
    ["b", second],
    ["a", adding({ signature: "a=:A:" })],
  ]);
  const signed = await signedBy(signers, ctxFor, request());
  expect(seen).toEqual(["a=:A:"]);
  // The third would have taken the place of the others.
  expect(signed.headers.get("signature")).toBe("a=:A:, b=:B:");
});

it("a signer that leads elsewhere is a fault, and nothing goes out", async () => {
  const astray: IdentitySigner = { sign: async () => new Request("https://evil.example/") };
  await expect(signedBy(new Map([["x", astray]]), ctxFor, request())).rejects.toThrow(
    "leaves method and address alone",
  );
});

it("where nobody signs, the request is what it was", async () => {
  const asked = request();
  expect(await signedBy(new Map(), ctxFor, asked)).toBe(asked);
});
