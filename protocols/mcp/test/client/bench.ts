import { createEgress, createGuard } from "@countersign/gateway";
import type {
  CallingSession,
  Ctx,
  Destination,
  KeptMaterial,
  PersonId,
  StoredValue,
  TenantId,
} from "@countersign/plugin";
import { assert, err, type Instant, instant, type Json, ok, type Secret } from "@countersign/wire";
import { createMcpRoute, mcpSite } from "../../src/client/index.ts";
import { shopBindings } from "./upstream/bindings.ts";
import type { Upstream } from "./upstream/server.ts";

const BACK = "http://localhost:4600/returned";

/** The route without a gateway around it: what it does to an upstream, and nothing else. */
export interface Bench {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly route: ReturnType<typeof createMcpRoute>;
  /** What is kept, as the gateway's vault would hold it; undefined once the account is disconnected. */
  kept: Secret<string> | undefined;
  readonly writes: Secret<string>[];
  /** How far the clock is ahead. */
  aheadMs: number;
  signIn(): Promise<Secret<string>>;
  open(): Promise<CallingSession & { close(): Promise<void> }>;
}

export async function openBench(upstream: Upstream): Promise<Bench> {
  const site = await mcpSite({
    id: "mcp.upstream",
    title: "The upstream shop",
    path: "/mcp",
    signIn: { kind: "oauth" },
    bindings: await shopBindings(),
  });
  const [entry] = site.entries;
  assert(entry !== undefined, "the site has its entry");
  const destination: Destination = {
    id: "upstream",
    title: site.title,
    origin: upstream.origin,
    alsoOrigins: [],
    entry,
    commits: [],
  };
  const egress = createEgress(createGuard({ namedOrigins: new Set([upstream.origin]) }));
  const values = new Map<string, StoredValue>();
  const route = createMcpRoute();
  const bench: Bench = {
    destination,
    route,
    kept: undefined,
    writes: [],
    aheadMs: 0,
    ctx: {
      now: (): Instant => instant(Date.now() + bench.aheadMs),
      signal: new AbortController().signal,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      store: {
        get: async (key) => values.get(key),
        async put(key, value: Json, ifVersion) {
          if ((values.get(key)?.version ?? 0) !== ifVersion) return err("version_conflict");
          values.set(key, { value, version: ifVersion + 1 });
          return ok({ version: ifVersion + 1 });
        },
        insertUnique: async () => true,
        countUnique: async () => 0,
        add: async () => err("over_max"),
      },
      vault: {
        put: () => Promise.reject(new Error("this upstream gives no secret")),
        use: async () => err("unknown_ref"),
        remove: async () => {},
      },
      sign: () => Promise.reject(new Error("nothing is signed here")),
      fetch: egress.fetch,
      tenant: "t" as TenantId,
      person: "p" as PersonId,
      progress: () => {},
      detail: async () => undefined,
      access: async () => ({ kind: "no_service" }),
      delegate: async () => err("not_an_audience"),
      withIdentity: async (request) => {
        const headers = new Headers(request.headers);
        headers.set("x-badge", "gateway");
        return new Request(request, { headers });
      },
    },
    async signIn() {
      const tries = { take: async () => ({ kind: "go" as const, left: 3 }) };
      const begun = await route.beginSignIn(bench.ctx, destination, tries, { url: BACK, state: "s" });
      assert(begun.ok && begun.value.mode === "redirect", "the person goes elsewhere");
      const answer = await fetch(begun.value.url, { redirect: "manual" });
      const came = await begun.value.returned(new URL(answer.headers.get("location") ?? "").searchParams);
      assert(came.kind === "done", "the sign-in is done");
      bench.kept = came.verified.material;
      return came.verified.material;
    },
    async open() {
      const material = bench.kept;
      assert(material !== undefined, "something is kept");
      const opened = await route.open(bench.ctx, destination, material, keptBy(bench));
      assert(opened.ok, "the session opens");
      return Object.assign(opened.value.session as CallingSession, { close: () => opened.value.close() });
    },
  };
  return bench;
}

function keptBy(bench: Bench): KeptMaterial {
  return {
    read: async () => bench.kept,
    async write(next) {
      if (bench.kept === undefined) return false;
      bench.kept = next;
      bench.writes.push(next);
      return true;
    },
  };
}
