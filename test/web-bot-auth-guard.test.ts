import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { createServer } from "node:net";
import { createEgress, createGuard, type Guard } from "@countersign/gateway";
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

/** A server at `address` that counts who comes. */
async function counting(address: string, port: number, answer: (response: ServerResponse) => void = (r) => r.end()) {
  let requests = 0;
  const server = createHttpServer((_request, response) => {
    requests += 1;
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const at = server.address();
  assert(at !== null && typeof at === "object", "it listens");
  return {
    port: at.port,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** Verifies a request of an agent at `origin`, behind a guard that lets both origins pass: only what is tested stops it. */
async function judged(origin: string, guard: Guard) {
  const { key } = await generateSigningKey();
  const agent = { type: "directory", origin } as const;
  const signed = await signatureHeaders(REQUEST, { key, agent, plainHttp: "loopback" });
  assert(signed.ok, "it is signed");
  const keys = directoryKeys({ fetch: createEgress(guard).fetch, plainHttp: "loopback" });
  const { results } = await createVerifier({ keys, plainHttp: "loopback" }).verify({
    ...REQUEST,
    headers: signed.value,
  });
  return results;
}

it("PLG-7 N25 U51 a directory that sends elsewhere is not followed, with whatever status", async () => {
  const sentinel = await counting("127.0.0.1", 0);
  const to = `http://127.0.0.1:${sentinel.port}`;
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${to}/.well-known/http-message-signatures-directory`;
      const directory = await counting("127.0.0.1", 0, (response) => response.writeHead(status, { location }).end());
      const origin = `http://127.0.0.1:${directory.port}`;
      const results = await judged(origin, createGuard({ namedOrigins: new Set([origin, to]) }));
      expect(results).toEqual([expect.objectContaining({ outcome: "unverified", reason: "directory_unavailable" })]);
      expect([directory.requests(), sentinel.requests()]).toEqual([1, 0]);
      await directory.close();
    }
  } finally {
    await sentinel.close();
  }
});

it("PLG-7 N25 U51 a name that is bound anew is resolved once: the connection goes to the address that was judged", async () => {
  const judgedFirst = await counting("127.0.0.1", 0, (response) => response.writeHead(404).end());
  const sentinel = await counting("127.0.0.2", judgedFirst.port);
  const origin = `http://localhost:${judgedFirst.port}`;
  let resolved = 0;
  try {
    const guard = createGuard({
      namedOrigins: new Set([origin]),
      resolve: async () => {
        resolved += 1;
        return [{ address: resolved === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
      },
    });
    await judged(origin, guard);
    expect([resolved, judgedFirst.requests(), sentinel.requests()]).toEqual([1, 1, 0]);
  } finally {
    await judgedFirst.close();
    await sentinel.close();
  }
});

it.each([
  "http://agent.example",
  "https://agent.example:8443",
  "https://127.0.0.1",
  "https://[::1]",
  "ftp://agent.example",
])("PLG-7 N24 an agent at %s is asked nothing: only a name, over https, at its own port", async (origin) => {
  const { key } = await generateSigningKey();
  const signed = await signatureHeaders(REQUEST, {
    key,
    agent: { type: "directory", origin: "https://agent.example" },
  });
  assert(signed.ok, "it is signed");
  const headers = signed.value.map(([name, value]): [string, string] => [
    name,
    name === "signature-agent" ? value.replace("https://agent.example", origin) : value,
  ]);
  let fetched = 0;
  const keys = directoryKeys({
    fetch: () => {
      fetched += 1;
      return Promise.reject(new Error("nobody is asked"));
    },
  });
  const { outcome } = await createVerifier({ keys }).verify({ ...REQUEST, headers });
  expect(outcome).not.toBe("verified");
  expect(fetched).toBe(0);
});
