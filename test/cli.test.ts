import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { orderRequest } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { inStore, readyWorld } from "./support/world.ts";

const MAIN = fileURLToPath(new URL("../packages/countersign/src/main.ts", import.meta.url));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function countersign(...args: readonly string[]): Promise<Ran> {
  return countersignWith({}, ...args);
}

function countersignWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (part: Buffer) => {
      out += part.toString("utf8");
    });
    child.stderr.on("data", (part: Buffer) => {
      err += part.toString("utf8");
    });
    child.once("exit", (code) => resolve({ code, out, err }));
  });
}

let dir: string;
let ready: Awaited<ReturnType<typeof readyWorld>>;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "countersign-cli-"));
  ready = await readyWorld();
});
afterAll(async () => {
  await ready.world.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("the command", () => {
  it.each(["start", "demo", "agent", "task", "link", "policy", "protocols", "keys", "verify"])(
    "%s --help says how it is used",
    async (name) => {
      const { code, out } = await countersign(name, "--help");
      expect([code, out.startsWith(`Usage: countersign ${name}`)]).toEqual([0, true]);
    },
  );

  it.each([
    [["nonsense"], 2, "no command"],
    [["start", "--prot", "1"], 2, "--prot"],
    [["verify"], 2, "which file"],
    [["verify", "x", "--pin", "short", "--issuer", "http://localhost:1"], 2, "--pin"],
    [["agent", "remove"], 2, "agent add NAME"],
    [["task", "get", "t"], 2, "--agent"],
  ] as const)("%j ends with 2 and says what is off", async (args, code, text) => {
    const ran = await countersign(...args);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(text);
    expect(ran.err).not.toMatch(/\n\s+at /);
  });

  it("where no gateway runs it says how to start one", async () => {
    const { code, err } = await countersign("link", "--data", dir);
    expect([code, err.includes("countersign start")]).toEqual([1, true]);
  });

  it("AUT-4 a store that is refused is told in words, without the password of its URL", async () => {
    const url = "postgres://someone:hunter2hunter2@127.0.0.1:1/somewhere";
    const refused = await countersignWith(
      { DATABASE_URL: url },
      ...["start", "--data", join(dir, "elsewhere"), "--sandbox", "off"],
    );
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("no PostgreSQL answers at DATABASE_URL");
    expect(refused.out + refused.err).not.toContain("hunter2");
  }, 90_000);

  it("link prints a one-time link, through the socket", async () => {
    const { code, out } = await countersign("link", "--data", ready.world.dataDir);
    expect(code).toBe(0);
    expect(out.trim()).toMatch(new RegExp(`^${ready.world.issuer}/link#[A-Za-z0-9_-]{43}$`));
  });

  it("AUT-4 agent add waits for the person's yes, and keeps the credential in a file of its owner, never on a screen", async () => {
    const file = join(dir, "agent.json");
    const adding = countersign("agent", "add", "Shell agent", "--out", file, "--data", ready.world.dataDir);
    const inbox = await until(
      () => ready.person.get("/inbox"),
      (r) => r.text.includes("Shell agent"),
      "the request",
    );
    const items = inbox.json["items"] as { kind: string; href: string }[];
    const href = items.find((i) => i.kind === "agent")?.href ?? "";
    await ready.person.post(`${href}/decision`, { decision: "accept" });
    const { code, out, err } = await adding;
    expect([code, out.trim()]).toEqual([0, file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { refresh_token: token } = JSON.parse(readFileSync(file, "utf8")) as { refresh_token: string };
    expect(token.length).toBeGreaterThan(20);
    expect(out + err).not.toContain(token);

    const clientId = href.split("/").pop() ?? "";
    await inStore(ready.world.gateway, (db) =>
      db.updateTable("consent").set({ client_id: clientId }).where("consent_ref", "=", ready.consentRef).execute(),
    );
    const request = join(dir, "request.json");
    writeFileSync(request, JSON.stringify(orderRequest(ready, { operation: "retail.order.submit" })));
    const submitted = await countersign("task", "submit", request, "--agent", file);
    expect(submitted.code).toBe(0);
    const { task_id: taskId } = JSON.parse(submitted.out) as { task_id: string };
    const got = await countersign("task", "get", taskId, "--agent", file);
    expect(JSON.parse(got.out)).toMatchObject({ task_id: taskId, operation: "retail.order.submit" });
    const cancelled = await countersign("task", "cancel", taskId, "--agent", file);
    expect(JSON.parse(cancelled.out)).toMatchObject({ state: "cancelled" });
    const result = await countersign("task", "result", taskId, "--agent", file);
    expect([result.code, JSON.parse(result.out).reason]).toEqual([1, "not_found"]);
    expect((JSON.parse(readFileSync(file, "utf8")) as { refresh_token: string }).refresh_token).not.toBe(token);
  });

  it("REC-4 verify says what holds, and refuses a changed byte", async () => {
    const submitted = await ready.agent.post("/v1/tasks", { ...orderRequest(ready), consent_ref: ready.consentRef });
    expect([201, 404]).toContain(submitted.status);
    const done = (await ready.person.get("/tasks")).json["tasks"] as { task_id: string; state: string }[];
    const settled = done.find((t) => t.state === "cancelled");
    const bundle = await until(
      () => ready.person.get(`/tasks/${settled?.task_id ?? ""}/bundle`),
      (r) => r.status === 200,
      "the bundle",
    );
    const file = join(dir, "bundle.json");
    writeFileSync(file, bundle.text);
    const args = ["--pin", ready.world.gateway.core.keys.pin, "--issuer", ready.world.issuer];
    const good = await countersign("verify", file, ...args);
    expect([good.code, good.out.includes("The bundle holds")]).toEqual([0, true]);
    writeFileSync(
      file,
      bundle.text.replace(/"receipt":"(.)/, (_all, first: string) => `"receipt":"${first === "A" ? "B" : "A"}`),
    );
    const bad = await countersign("verify", file, ...args);
    expect([bad.code, bad.err.includes("does not hold")]).toEqual([1, true]);
  });
});
