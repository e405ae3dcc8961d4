import { createServer, type Server } from "node:http";
import { createEgress, createGuard } from "@countersign/gateway";
import type { Ctx, Destination } from "@countersign/plugin";
import { createHttpRoute, type HttpSession } from "@countersign/route-http";
import { assert, instant, type JsonObject, secret } from "@countersign/wire";
import { below, type Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { spread } from "../stats.ts";

const ORDERS = "/api/v1/orders";
const TIMES = { full: 2_000, quick: 400 } as const;
const WARM_UP = 100;
const ADDED_MS_MAX = 5;
const BODY: JsonObject = { quote_id: "q_0123456789", note: "leave it at the door" };

/** One order by the HTTP route and the guarded egress, beside the bare fetch of the same request, turn by turn. */
export async function measureEgress(options: Options): Promise<readonly Measurement[]> {
  const server = await listen();
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const origin = `http://127.0.0.1:${address.port}`;
  try {
    const egress = createEgress(createGuard({ namedOrigins: new Set([origin]) }));
    const session = await openSession(origin, egress.fetch);
    const byRoute: number[] = [];
    const bare: number[] = [];
    for (let n = 0; n < WARM_UP + TIMES[options.scale]; n++) {
      const routed = await timed(async () => {
        const held = await session.hold(ORDERS, { method: "POST", body: BODY });
        const sent = await egress.sendOnce(held.request, () => true);
        assert(sent.ok && sent.value.status === 201, "the order is taken");
      });
      const fetched = await timed(async () => {
        const answer = await fetch(`${origin}${ORDERS}`, {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json", authorization: "Bearer t" },
          body: JSON.stringify(BODY),
        });
        assert(answer.status === 201, "the order is taken");
        await answer.arrayBuffer();
      });
      if (n < WARM_UP) continue;
      byRoute.push(routed);
      bare.push(fetched);
    }
    const [ours, theirs] = [spread(byRoute), spread(bare)];
    return [
      {
        name: "http-route",
        what: "one order by the HTTP route (a fresh connection each) beside a bare fetch (kept alive)",
        figures: {
          p50_ms: ours.p50,
          p99_ms: ours.p99,
          bare_p50_ms: theirs.p50,
          bare_p99_ms: theirs.p99,
          added_p50_ms: ours.p50 - theirs.p50,
        },
        targets: [below("added latency of the HTTP route, p50 ms", ours.p50 - theirs.p50, ADDED_MS_MAX)],
      },
    ];
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function listen(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(201, { "content-type": "application/json" });
      response.end('{"number":"SO-1","total_minor":4990,"currency":"EUR"}');
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function openSession(origin: string, fetch: Ctx["fetch"]): Promise<HttpSession> {
  const destination: Destination = {
    id: "bench",
    title: "Bench",
    origin,
    alsoOrigins: [],
    entry: { route: "http", signIn: undefined, identify: async () => undefined, operations: [] },
    commits: [{ method: "POST", path: ORDERS }],
  };
  const quiet = () => {};
  const ctx = {
    now: () => instant(Date.now()),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    fetch,
  } as unknown as Ctx;
  const opened = await createHttpRoute().open(ctx, destination, secret(JSON.stringify({ v: 1, token: "t" })));
  assert(opened.ok, "a kept token opens a session");
  return opened.value.session as HttpSession;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
