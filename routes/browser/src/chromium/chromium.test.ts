import { err, ok } from "@countersign/wire";
import { describe, expect, it } from "vitest";
import { createBrowserRoute, SandboxImpossible } from "../route.ts";
import { type EnsureHost, ensureChromium } from "./ensure.ts";
import { findChromium } from "./find.ts";
import { launchEnv } from "./flags.ts";

describe("findChromium", () => {
  it("takes what is configured and nothing else then", () => {
    const env = { COUNTERSIGN_CHROMIUM: "/opt/c" };
    expect(findChromium(env, (path) => path === "/opt/c")).toEqual(ok("/opt/c"));
    expect(findChromium(env, (path) => path === "/usr/bin/chromium")).toEqual(err("configured_missing"));
  });

  it("looks where systems put it", () => {
    expect(findChromium({}, (path) => path === "/usr/bin/google-chrome")).toEqual(ok("/usr/bin/google-chrome"));
    expect(findChromium({}, () => false)).toEqual(err("not_found"));
  });
});

describe("ensureChromium", () => {
  const ensure = async (works: string, more: Partial<EnsureHost> = {}) => {
    const ran: string[] = [];
    const host: EnsureHost = {
      find: () => (ran.some((line) => line.includes(works)) ? ok("/found") : err("not_found")),
      run: async (command, args) => ran.push([command, ...args].join(" ")) > 0,
      isRoot: true,
      isDebian: true,
      ...more,
    };
    return { result: await ensureChromium(() => {}, host), ran };
  };

  it("downloads by Playwright first", async () => {
    const { result, ran } = await ensure("cli.js install chromium");
    expect(result).toEqual(ok("/found"));
    expect(ran).toHaveLength(1);
  });

  it("then asks Debian, as root only", async () => {
    expect((await ensure("apt-get install -y")).result).toEqual(ok("/found"));
    const { result, ran } = await ensure("apt-get install -y", { isRoot: false });
    expect(result).toMatchObject({ ok: false, reason: { message: expect.stringContaining("sudo apt-get install") } });
    expect(ran.join()).not.toContain("apt-get");
  });

  it("ends with one sentence that names the command", async () => {
    const { result } = await ensure("never", { isDebian: false });
    expect(result).toMatchObject({ reason: { message: expect.stringContaining("npx playwright-core install") } });
  });
});

it("AUT-4 Chromium gets none of the gateway's environment but what it needs", () => {
  const env = launchEnv({ PATH: "/bin", LANG: "C", COUNTERSIGN_KEY: "canary", DATABASE_URL: "canary" }, "/home");
  expect(JSON.stringify(env)).not.toContain("canary");
  expect(env).toMatchObject({ PATH: "/bin", HOME: "/home" });
});

it("refuses root with the sandbox on", () => {
  const options = { executablePath: "/x", sandbox: "on", profileRoot: "/x", uid: 0 } as const;
  expect(() => createBrowserRoute(options)).toThrow(SandboxImpossible);
  expect(createBrowserRoute({ ...options, uid: 1000 }).kind).toBe("browser");
  expect(createBrowserRoute({ ...options, sandbox: "off" }).kind).toBe("browser");
});
