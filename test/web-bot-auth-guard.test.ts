import { createServer } from "node:net";
import { createEgress, createGuard } from "@countersign/gateway";
import { createVerifier, directoryKeys, generateSigningKey, signatureHeaders } from "@countersign/web-bot-auth";
import { assert } from "@countersign/wire";
import { expect, it } from "vitest";

const REQUEST = { method: "GET", url: "https://shop.example/", headers: [], body: new Uint8Array() };

it.each([
  ["127.0.0.1"],
  ["0.0.0.0"],
  ["10.0.0.1"],
  ["172.16.0.1"],
  ["192.168.1.1"],
  ["169.254.169.254"],
  ["100.64.0.1"],
  ["224.0.0.1"],
  ["::1"],
  ["::"],
  ["fc00::1"],
  ["fe80::1"],
  ["::ffff:10.0.0.1"],
  ["::ffff:127.0.0.1"],
  ["64:ff9b::7f00:1"],
  ["93.184.216.34", "127.0.0.1"],
  ["127.0.0.1", "93.184.216.34"],
])(
  "PLG-7 N25 U51 an agent whose name leads to %s %s is unverified, and nobody is connected to",
  async (...addresses) => {
    let connections = 0;
    const sentinel = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    // The port that the name would lead to; where it cannot be had, the guard's refusal alone is looked at.
    await new Promise<void>((resolve) => {
      sentinel.once("error", () => resolve());
      sentinel.listen(443, "127.0.0.1", () => resolve());
    });
    try {
      const guard = createGuard({
        namedOrigins: new Set(),
        resolve: async () =>
          addresses
            .filter((one) => one !== undefined)
            .map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      });
      const problems: string[] = [];
      const keys = directoryKeys({
        fetch: createEgress(guard).fetch,
        onFailure: ({ problem }) => problems.push(problem),
      });
      const { key } = await generateSigningKey();
      const agent = { type: "directory", origin: "https://agent.example" } as const;
      const signed = await signatureHeaders(REQUEST, { key, agent });
      assert(signed.ok, "it is signed");
      const { results } = await createVerifier({ keys }).verify({ ...REQUEST, headers: signed.value });
      expect(results).toEqual([expect.objectContaining({ outcome: "unverified", reason: "directory_unavailable" })]);
      expect(problems).toEqual(["unreachable"]);
      expect(connections).toBe(0);
    } finally {
      await new Promise((resolve) => sentinel.close(resolve));
    }
  },
);
