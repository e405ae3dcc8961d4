import {
  createVerifier,
  directoryKeys,
  type FieldLine,
  firstKey,
  generateSigningKey,
  listed,
  rotated,
  type SigningKey,
  serveDirectory,
  signatureHeaders,
  signing,
  verifiedOf,
} from "@countersign/web-bot-auth";
import { serve } from "./serve.ts";

// EX-01 and EX-02: an agent signs what it sends; a shop asks whose it is. One process, this machine alone, and a clock
// that is moved by hand. On one machine nobody has a certificate, so both sides are told to take its own addresses for
// https (`plainHttp: "loopback"`); with real hosts that setting is left away and everything else stays.

let nowMs = Date.now();
const now = () => nowMs;
const HOUR_MS = 60 * 60 * 1000;

const say = (text = "") => console.log(text);

// --- The agent: its keys, and the directory that lists them -----------------------------------------------------------

const held = new Map<string, SigningKey>();
const made = async () => {
  const { key } = await generateSigningKey();
  held.set(key.keyId, key);
  return key.keyId;
};
const keyOf = (keyId: string | undefined): SigningKey => {
  const key = held.get(keyId ?? "");
  if (key === undefined) throw new Error("the agent holds the keys that it lists");
  return key;
};
let ring = [firstKey(await made(), nowMs)] as readonly ReturnType<typeof firstKey>[];

const directory = await serve((request) =>
  serveDirectory(request, { keys: listed(ring, nowMs).map((one) => keyOf(one.keyId)), now }),
);
const agent = { type: "directory", origin: directory.origin } as const;

// --- The shop: nobody gets in unsigned --------------------------------------------------------------------------------

const verifier = createVerifier({
  // The directory is fetched over plain `fetch` here; a shop on the Internet gives one that refuses private addresses.
  keys: directoryKeys({ fetch, now, plainHttp: "loopback" }),
  plainHttp: "loopback",
  now,
});
const shop = await serve(async (request) => {
  const verification = await verifier.verify({
    method: request.method,
    url: request.url,
    headers: [...request.headers],
    body: new Uint8Array(),
  });
  const [who] = verifiedOf(verification);
  if (who === undefined) {
    const [result] = verification.results;
    const why = result === undefined || result.outcome === "verified" ? verification.outcome : result.reason;
    // The reason is for the shop's own log; a stranger is told no more than "no".
    return new Response("Who are you?", { status: 401, headers: { "x-log": why } });
  }
  return new Response(`Tea, 4.20. Shown to ${who.identifier}`);
});
const url = `${shop.origin}/catalogue?page=2`;
const request = {
  method: "GET",
  url,
  headers: [["accept", "text/plain"]] as readonly FieldLine[],
  body: new Uint8Array(),
};

async function call(headers: readonly FieldLine[]): Promise<number> {
  const answer = await fetch(url, { headers: headers.map(([name, value]): [string, string] => [name, value]) });
  const log = answer.headers.get("x-log");
  say(`  ${answer.status} ${await answer.text()}${log === null ? "" : `   (the shop's log: ${log})`}`);
  return answer.status;
}

async function signed(keyId = signing(ring, nowMs)?.keyId): Promise<readonly FieldLine[]> {
  const added = await signatureHeaders(request, { key: keyOf(keyId), agent, plainHttp: "loopback", now });
  if (!added.ok) throw new Error(added.reason);
  return [...request.headers, ...added.value];
}

const codes: number[] = [];

say("EX-01  A signed agent calls a protected site\n");
say("Without a signature:");
codes.push(await call(request.headers));
say("\nWith one, these headers go along:");
const first = await signed();
for (const [name, value] of first.slice(1)) say(`  ${name}: ${value}`);
codes.push(await call(first));

say("\nEX-02  The directory, a replay, and a rotation\n");
say("What the agent publishes:");
say(`  ${await (await fetch(`${directory.origin}/.well-known/http-message-signatures-directory`)).text()}`);
say("\nThe same bytes once more:");
codes.push(await call(first));

const old = signing(ring, nowMs)?.keyId;
ring = rotated(ring, await made(), { nowMs });
say("\nA second key is listed, and the first still signs:");
codes.push(await call(await signed()));
nowMs += HOUR_MS;
say("\nAn hour later everybody knows the second key, and it signs:");
codes.push(await call(await signed()));
say("\nA signature by the first key, in the overlap:");
codes.push(await call(await signed(old)));
nowMs += HOUR_MS;
say("\nAfter the overlap the first key is listed no more:");
codes.push(await call(await signed(old)));
say("\nAnd the second goes on:");
codes.push(await call(await signed()));

await Promise.all([directory.close(), shop.close()]);
const expected = [401, 200, 401, 200, 200, 200, 401, 200];
if (codes.join() !== expected.join()) {
  console.error(`expected ${expected.join()}, got ${codes.join()}`);
  process.exitCode = 1;
}
