import type { KeptMaterial } from "@countersign/plugin";
import { instant, type Secret, secret } from "@countersign/wire";
import { beforeEach, describe, expect, it } from "vitest";
import { type CookieTokens, cookieTokens, type JarOptions } from "./jar.ts";
import { fromCookieMaterial, toCookieMaterial } from "./material.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const URL_ = new URL("https://insurer.example/api/x");
let logged: string[];
let now: number;
let options: JarOptions;
let stored: Secret<string> | undefined;
let writes: string[];
let takes: boolean;

const log = (event: string, fields?: object) => void logged.push(JSON.stringify({ event, ...fields }));
const kept: KeptMaterial = {
  read: async () => stored,
  write: async (material) => {
    if (!takes) return false;
    stored = material;
    writes.push(material.reveal());
    return true;
  },
};
beforeEach(() => {
  logged = [];
  writes = [];
  now = NOW;
  takes = true;
  stored = undefined;
  options = {
    ctx: { now: () => instant(now), log: { debug: log, info: log, warn: log, error: log } },
    destination: { id: "insurer", origin: URL_.origin },
    name: "sid",
    signInPath: "/sign-in",
  };
});

const first = { name: "sid", value: secret("c0-first") };
const head = (status: number, setCookies: readonly string[] = [], location?: string) => ({
  status,
  url: URL_,
  setCookies,
  ...(location === undefined ? {} : { location }),
});
const current = async (tokens: CookieTokens): Promise<string> => {
  const token = await tokens.lasting(0);
  return token.ok ? token.value.reveal() : token.reason;
};

describe("a session by its cookie", () => {
  it("U48 takes over one that the site changes, kept before it is used", async () => {
    const order: string[] = [];
    const slow: KeptMaterial = {
      ...kept,
      write: async (material) => {
        order.push(`kept while ${await current(tokens)} is used`);
        return kept.write(material);
      },
    };
    const tokens = cookieTokens(first, options, slow);
    expect(await tokens.answered?.(head(200, ["lang=en", "sid=c1-second; Path=/"]))).toBe("answer");
    expect(order).toEqual(["kept while c0-first is used"]);
    expect(await current(tokens)).toBe("c1-second");
    expect(stored?.reveal()).toContain("c1-second");
    expect(tokens.secrets().map((each) => each.reveal())).toEqual(["c0-first", "c1-second"]);
  });

  it("is not kept anew while it stays what it is; one that is prolonged is, now and then", async () => {
    const tokens = cookieTokens(first, options, kept);
    await tokens.answered?.(head(200, ["sid=c0-first"]));
    expect(writes).toEqual([]);
    await tokens.answered?.(head(200, ["sid=c0-first; Max-Age=3600"]));
    now += 60_000;
    await tokens.answered?.(head(200, ["sid=c0-first; Max-Age=3600"]));
    expect(writes).toHaveLength(1);
    now += 10 * 60_000;
    await tokens.answered?.(head(200, ["sid=c0-first; Max-Age=3600"]));
    expect(writes).toHaveLength(2);
  });

  it("is used no more once the connection is gone: nothing was kept", async () => {
    takes = false;
    const tokens = cookieTokens(first, options, kept);
    expect(await tokens.answered?.(head(200, ["sid=c1-second"]))).toBe("signed_out");
    expect(await current(tokens)).toBe("sign_in");
  });

  it.each([
    ["a 401", head(401, ["sid=anonymous"])],
    ["the way to the sign-in page", head(302, ["sid=anonymous"], "/sign-in?next=/api/x")],
    ["the same, spelled out", head(303, [], "https://insurer.example/sign-in")],
  ])("MFA-1 %s is signed out; what is set beside it is a stranger's and not kept", async (_, answer) => {
    const tokens = cookieTokens(first, options, kept);
    expect(await tokens.answered?.(answer)).toBe("signed_out");
    expect(writes).toEqual([]);
    expect(await tokens.refused(first.value)).toEqual({ ok: false, reason: "sign_in" });
  });

  it.each([
    head(302, [], "/elsewhere"),
    head(302, [], "https://other.example/sign-in"),
    head(200, [], "/sign-in"),
    head(302, [], "http://["),
  ])("another answer is an answer: %o", async (answer) => {
    expect(await cookieTokens(first, options, kept).answered?.(answer)).toBe("answer");
  });

  it("U48 one that is refused may have been changed by another process: its newer one is read, once", async () => {
    const tokens = cookieTokens(first, options, kept);
    stored = toCookieMaterial({ name: "sid", value: secret("c1-theirs") });
    const another = await tokens.refused(first.value);
    expect(another.ok && another.value.reveal()).toBe("c1-theirs");
    expect(await tokens.refused(secret("c1-theirs"))).toEqual({ ok: false, reason: "sign_in" });
  });

  it("one whose time is over, or that the site took back, is not sent", async () => {
    const tokens = cookieTokens({ ...first, expiresAtMs: NOW + 1 }, options, kept);
    expect(await current(tokens)).toBe("c0-first");
    now += 1;
    expect(await current(tokens)).toBe("sign_in");
    const back = cookieTokens(first, options, kept);
    await back.answered?.(head(200, ["sid=; Max-Age=0"]));
    expect(await current(back)).toBe("sign_in");
  });

  it("U51 AUT-4 a refused cookie is as if it had not come, and the log says why without a value", async () => {
    const tokens = cookieTokens(first, options, kept);
    await tokens.answered?.(head(200, ["sid=stolen-value; Domain=evil.example"]));
    expect(await current(tokens)).toBe("c0-first");
    expect(logged.join()).toContain("another_host");
    expect(logged.join()).not.toContain("stolen-value");
  });

  it("without a place to keep it, what changed is handed over when the session closes", async () => {
    const tokens = cookieTokens(first, options, undefined);
    expect(tokens.changed()).toBeUndefined();
    await tokens.answered?.(head(200, ["sid=c1-second"]));
    const read = fromCookieMaterial(tokens.changed() ?? secret(""), "sid", NOW);
    expect(read.ok && read.value.value.reveal()).toBe("c1-second");
  });
});

describe("kept cookie", () => {
  it("comes back as it was kept, until it runs out", () => {
    const material = toCookieMaterial({ ...first, expiresAtMs: NOW + 1000 });
    expect(fromCookieMaterial(material, "sid", NOW)).toMatchObject({ ok: true, value: { expiresAtMs: NOW + 1000 } });
    expect(fromCookieMaterial(material, "sid", NOW + 1000)).toEqual({ ok: false, reason: "expired" });
    expect(JSON.stringify(material)).not.toContain("c0-first");
  });

  it.each([
    { v: 1, token: "t" },
    { v: 4, name: "other", value: "c" },
    { v: 4, name: "sid", value: "" },
    { v: 4, name: "sid" },
    { v: 4, name: "sid", value: "c", expires_at: "soon" },
    { v: 4, name: "sid", value: "c", expires_at: NOW },
    [],
  ])("U45 anything else is unreadable, not guessed: %j", (value) => {
    expect(fromCookieMaterial(secret(JSON.stringify(value)), "sid", NOW)).toEqual({ ok: false, reason: "unreadable" });
  });
});
