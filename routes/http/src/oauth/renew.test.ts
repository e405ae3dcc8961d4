import type { Ctx, Destination, KeptMaterial, StoredValue } from "@countersign/plugin";
import { err, type Instant, instant, type Json, ok, type Secret, secret } from "@countersign/wire";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { TOKEN_SPARE_MS } from "../limits.ts";
import { fromOAuthMaterial, type OAuthMaterial, toOAuthMaterial } from "../material.ts";
import type { Renewal } from "./renew.ts";
import type { OAuthSignIn } from "./token-endpoint.ts";
import { renewedTokens } from "./tokens.ts";

const OAUTH: OAuthSignIn = {
  kind: "oauth",
  clientId: "gateway",
  authorizePath: "/authorize",
  tokenPath: "/token",
  scope: "accounts",
};
const START_MS = Date.parse("2026-11-30T12:00:00Z");
const LIFE_S = 300;

/** A bank's token endpoint with rotation and reuse detection, and the one place where material is kept. */
class Bench {
  now = START_MS;
  kept: Secret<string> | undefined;
  writes = 0;
  asked: string[] = [];
  /** What the endpoint does with the next request: answers, or takes place and is lost. */
  next: "answers" | "is_lost" | "is_down" = "answers";
  /** Waits inside the endpoint until it is let go. */
  gate: Promise<void> = Promise.resolve();
  current = "r0";
  alive = true;
  serial = 0;
  readonly store = new Map<string, StoredValue>();
  readonly first: OAuthMaterial = {
    family: "f",
    token: secret("a0"),
    refresh: secret("r0"),
    expiresAt: new Date(START_MS + 60_000).toISOString(),
  };

  constructor() {
    this.kept = toOAuthMaterial(this.first);
  }

  /** A process of its own: its own renewals under way, the same store and the same vault. */
  process(): Renewal {
    const kept: KeptMaterial = {
      read: async () => this.kept,
      write: async (material) => {
        if (this.kept === undefined) return false;
        this.kept = material;
        this.writes += 1;
        return true;
      },
    };
    const ctx: Partial<Ctx> = {
      now: (): Instant => instant(this.now),
      signal: new AbortController().signal,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      withIdentity: async (request) => request,
      fetch: (request) => this.#answer(request),
      store: {
        get: async (key: string) => this.store.get(key),
        put: async (key: string, value: Json, ifVersion: number) => {
          if ((this.store.get(key)?.version ?? 0) !== ifVersion) return err("version_conflict");
          this.store.set(key, { value, version: ifVersion + 1 });
          return ok({ version: ifVersion + 1 });
        },
      } as Ctx["store"],
    };
    const destination = { id: "bank", origin: "https://bank.example", commits: [] } as unknown as Destination;
    return { ctx: ctx as Ctx, destination, oauth: OAUTH, kept, running: new Map() };
  }

  tokens(renewal = this.process()) {
    return renewedTokens(this.first, renewal);
  }

  async #answer(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const came = form.get("refresh_token") ?? "";
    this.asked.push(came);
    await this.gate;
    if (this.next === "is_down") return new Response("sorry", { status: 503 });
    if (!this.alive || came !== this.current) {
      this.alive = false;
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    this.serial += 1;
    this.current = `r${this.serial}`;
    if (this.next === "is_lost") throw new TypeError("the connection broke");
    const body = {
      access_token: `a${this.serial}`,
      refresh_token: this.current,
      token_type: "Bearer",
      expires_in: LIFE_S,
    };
    return Response.json(body);
  }
}

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
const revealed = (result: Awaited<ReturnType<ReturnType<Bench["tokens"]>["lasting"]>>) =>
  result.ok ? result.value.reveal() : result.reason;

describe("U48 the tokens of a site's OAuth server", () => {
  it("are used while they last, and renewed before they end", async () => {
    const tokens = bench.tokens();
    expect(revealed(await tokens.lasting(TOKEN_SPARE_MS))).toBe("a0");
    bench.now += 50_000;
    expect(revealed(await tokens.lasting(TOKEN_SPARE_MS))).toBe("a1");
    expect(bench.asked).toEqual(["r0"]);
    expect(tokens.secrets().map((each) => each.reveal())).toEqual(["a0", "r0", "a1", "r1"]);
  });

  it("are kept before they are used", async () => {
    const renewal = bench.process();
    let keptFirst: string | undefined;
    const watching: Renewal = {
      ...renewal,
      kept: {
        ...renewal.kept,
        write: async (material) => {
          const read = fromOAuthMaterial(material);
          keptFirst = read.ok ? read.value.token.reveal() : undefined;
          return renewal.kept.write(material);
        },
      },
    };
    const renewed = await bench.tokens(watching).refused(secret("a0"));
    expect(revealed(renewed)).toBe("a1");
    expect(keptFirst).toBe("a1");
  });

  it("are not used where they could not be kept: the account was disconnected meanwhile", async () => {
    let open: () => void = () => {};
    bench.gate = new Promise((resolve) => {
      open = resolve;
    });
    const renewing = bench.tokens().refused(secret("a0"));
    await Promise.resolve();
    bench.kept = undefined;
    open();
    expect(revealed(await renewing)).toBe("sign_in");
  });

  it("are renewed once for everybody who needs them, in one process and in two", async () => {
    const [one, two] = [bench.process(), bench.process()];
    const all = await Promise.all(
      [bench.tokens(one), bench.tokens(one), bench.tokens(two)].map((t) => t.refused(secret("a0"))),
    );
    expect(all.map(revealed)).toEqual(["a1", "a1", "a1"]);
    expect(bench.asked).toEqual(["r0"]);
    expect(bench.writes).toBe(1);
  });

  it("are not asked for by a second process while a first one is at it", async () => {
    let open: () => void = () => {};
    bench.gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = bench.tokens().refused(secret("a0"));
    await vi.waitUntil(() => bench.asked.length === 1);
    const second = bench.tokens().refused(secret("a0"));
    // Whatever the second one would do at once, it has done by now.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    open();
    expect([revealed(await first), revealed(await second)]).toEqual(["a1", "a1"]);
    expect(bench.asked).toEqual(["r0"]);
  });

  it("that another process has renewed are read, not asked for", async () => {
    const late = bench.tokens();
    await bench.tokens().refused(secret("a0"));
    expect(revealed(await late.refused(secret("a0")))).toBe("a1");
    expect(bench.asked).toEqual(["r0"]);
  });

  it("whose answer is lost are no verdict; the next attempt hears that the person is needed", async () => {
    bench.next = "is_lost";
    expect(revealed(await bench.tokens().refused(secret("a0")))).toBe("unavailable");
    bench.next = "answers";
    expect(revealed(await bench.tokens().refused(secret("a0")))).toBe("sign_in");
    expect(bench.asked).toEqual(["r0", "r0"]);
  });

  it("of a site that is down are no verdict either", async () => {
    bench.next = "is_down";
    expect(revealed(await bench.tokens().refused(secret("a0")))).toBe("unavailable");
    bench.next = "answers";
    expect(revealed(await bench.tokens().refused(secret("a0")))).toBe("a1");
  });
});
