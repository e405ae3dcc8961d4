import { execFile, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert, isJsonObject, type JsonObject, parseJson } from "@countersign/wire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hoursAhead } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { Browser, pageRef } from "./support/oauth-client.ts";
import { Person } from "./support/person.ts";
import { freePort, openWorld, type World } from "./support/world.ts";

// docs/oauth.md as its reader runs it: its own lines in one shell, with a person who answers in a browser.

const SHELL_MS = 60_000;
/** What the shell keeps from one block to the next. */
const KEPT = "ISSUER META CLIENT REDIRECT VERIFIER CHALLENGE STATE ASK CODE TOKENS DETAILS PUSHED DEVICE";

let world: World;
let person: Person;
let browser: Browser;
let accountRef: string;
let folder: string;
let port: number;
let sections: ReadonlyMap<string, readonly string[]>;
const groups: number[] = [];

beforeAll(async () => {
  world = await openWorld({ oauth: { documents: "loopback_too" } });
  person = await Person.signIn(world);
  browser = new Browser(world.issuer, person);
  accountRef = await person.connectShop("http");
  folder = mkdtempSync(join(tmpdir(), "countersign-docs-"));
  port = await freePort();
  const text = readFileSync(fileURLToPath(new URL("../docs/oauth.md", import.meta.url)), "utf8")
    .replaceAll("http://localhost:4600", world.issuer)
    .replaceAll("8765", String(port))
    .replaceAll("/tmp/client", join(folder, "client"));
  sections = new Map(
    text.split(/^## /m).map((section) => {
      const [title = "", ...rest] = section.split("\n");
      const blocks = [...rest.join("\n").matchAll(/^```(?:sh|js)\n(.*?)^```$/gms)].map((match) => match[1] ?? "");
      return [title.replace(/\..*$/, ""), blocks];
    }),
  );
});
afterAll(async () => {
  for (const group of groups) {
    try {
      process.kill(-group);
    } catch {
      // It has ended by itself.
    }
  }
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

function block(section: string, n = 0): string {
  const found = sections.get(section)?.[n];
  assert(found !== undefined, `docs/oauth.md has block ${n} in section ${section}`);
  return found;
}

/** Runs a block with what the blocks before it have left, and what a reader has put in for `...`. */
async function shell(text: string, given: Readonly<Record<string, string>> = {}): Promise<string> {
  const kept = join(folder, "kept.sh");
  const lines = text.replaceAll(/^(\w+)=\.\.\..*$/gm, (_, name: string) => {
    const value = given[name];
    assert(value !== undefined, `a reader would know ${name}`);
    return `${name}='${value}'`;
  });
  const script = `set -euo pipefail\n[ -e ${kept} ] && . ${kept}\n${lines}\ndeclare -p ${KEPT} > ${kept} 2>/dev/null || true\n`;
  const out = join(folder, "out");
  const file = openSync(out, "w");
  const child = spawn("bash", ["-c", script], { stdio: ["ignore", file, "inherit"], detached: true });
  closeSync(file);
  if (child.pid !== undefined) groups.push(child.pid);
  const code = await new Promise((resolve) => child.on("exit", resolve));
  assert(code === 0, `the block runs: ${lines}`);
  return readFileSync(out, "utf8").trim();
}

function json(text: string): JsonObject {
  const parsed = parseJson(text, { maxBytes: 1024 * 1024 });
  assert(parsed.ok && isJsonObject(parsed.value), `an object: ${text.slice(0, 200)}`);
  return parsed.value;
}

function grant(view: JsonObject, change: JsonObject = {}): JsonObject {
  const [destination] = view["destinations"] as JsonObject[];
  const asked = destination?.["asked"] as JsonObject;
  const more = { destination: destination?.["id"] ?? "", account_ref: accountRef, expires_at: hoursAhead(12) };
  return { decision: "allow", grant: { ...asked, ...more, ...change } };
}

/** Opens the address that a block printed, as the person, who lets the client have it; answers the code. */
async function allowed(url: string, change: JsonObject = {}): Promise<string> {
  const ref = pageRef(await browser.open(url));
  const view = (await browser.get(`/authorizations/${ref}`)).json;
  const decided = await browser.post(`/authorizations/${ref}/decision`, grant(view, change));
  assert(decided.status === 200, `the person says yes: ${decided.text}`);
  const back = new URL(String((await browser.open(String(decided.json["onward"]))).headers.location));
  expect(back.searchParams.get("iss")).toBe(world.issuer);
  return back.searchParams.get("code") ?? "";
}

it("docs/oauth.md: every example does what it says", { timeout: 4 * SHELL_MS }, async () => {
  await shell([...sections.values()][0]?.[0] ?? "");
  await shell(block("3"));
  const document = () =>
    fetch(`http://localhost:${port}/client.json`).then(
      (r) => r.ok,
      () => false,
    );
  await until(document, (served) => served, "the client's document to be served");

  const accounts = json(await shell(block("1", 1), { CODE: await allowed(await shell(block("1"))) }));
  expect(accounts["accounts"]).toMatchObject([{ account_ref: accountRef }]);

  const resource = await shell(block("2"));
  expect(resource).toContain(`resource_metadata="${world.issuer}/.well-known/oauth-protected-resource/v1"`);
  expect(resource).toContain(`"resource":"${world.issuer}/v1"`);

  const details = await allowed(await shell(block("4")), { operations: ["retail.orders.list"] });
  expect(json(await shell(block("4", 1), { CODE: details }))).toMatchObject({
    account_ref: accountRef,
    consent_ref: expect.stringMatching(/^cons/),
    operations: ["retail.orders.list"],
    limits: { max_total_minor: 6000, currency: "EUR" },
  });

  await shell(block("5"));
  const given = await shell(
    'curl -s $(jq -r .token_endpoint <<<"$META") -d grant_type=refresh_token -d client_id=$CLIENT -d refresh_token=$(jq -r .refresh_token <<<"$TOKENS")',
  );
  expect(json(given)).toMatchObject({ error: "invalid_grant" });

  const pushed = await shell(block("6"));
  expect(pushed).toContain("request_uri=urn%3A");
  const code = await allowed(pushed);

  const program = fileURLToPath(new URL(`./dpop-${process.pid}.tmp.mjs`, import.meta.url));
  writeFileSync(program, block("7"));
  try {
    const names = await shell('for name in ISSUER CLIENT REDIRECT VERIFIER STATE; do echo "$name=${!name}"; done');
    const env = Object.fromEntries(names.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2)));
    const run = promisify(execFile)(process.execPath, [program], { env: { ...process.env, ...env, CODE: code } });
    expect((await run).stdout.trim()).toBe("dpop 200");
  } finally {
    rmSync(program, { force: true });
  }

  const device = json(await shell(block("8")));
  expect(device).toMatchObject({ verification_uri: `${world.issuer}/device`, interval: 5 });
  const typed = await browser.post("/device", { user_code: String(device["user_code"]) });
  const ref = String(typed.json["ref"]);
  const view = (await browser.get(`/authorizations/${ref}`)).json;
  expect((await browser.post(`/authorizations/${ref}/decision`, grant(view))).status).toBe(200);
  expect(json(await shell(block("8", 1)))).toMatchObject({ token_type: "Bearer", scope: "agent" });
});
