import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Command } from "../cli.ts";
import { signRequestCommand } from "./sign-request.ts";
import { verifyRequestCommand } from "./verify-request.ts";

const URL = "https://shop.example/orders?x=1";
let dir = "";

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "countersign-sign-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
  vi.restoreAllMocks();
});

async function run(command: Command, ...args: readonly string[]) {
  const told: string[] = [];
  const note = (text: string | Uint8Array) => {
    told.push(String(text));
    return true;
  };
  const out = vi.spyOn(process.stdout, "write").mockImplementation(note);
  const said = vi.spyOn(process.stderr, "write").mockImplementation(note);
  const code = await command.run(args);
  out.mockRestore();
  said.mockRestore();
  return { code, text: told.join("") };
}

it("PLG-7 a key is made, a request is signed with it and verified; changed, it is refused", async () => {
  const keyFile = join(dir, "key.json");
  const made = await run(signRequestCommand, "--new-key", keyFile);
  expect(made.code).toBe(0);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const { d } = JSON.parse(readFileSync(keyFile, "utf8")) as { readonly d: string };
  expect(made.text).not.toContain(d);
  const directory = join(dir, "directory.json");
  writeFileSync(directory, made.text.split("\n").find((line) => line.startsWith("{")) ?? "");
  expect((await run(signRequestCommand, "--new-key", keyFile)).code).toBe(1);

  const body = join(dir, "body.json");
  writeFileSync(body, '{"sku":"tea"}');
  const agent = "https://agent.example";
  const signed = await run(
    signRequestCommand,
    URL,
    "--key",
    keyFile,
    "--agent",
    agent,
    "--method",
    "POST",
    "--body",
    body,
  );
  expect(signed.code).toBe(0);
  expect(signed.text).not.toContain(d);
  const headers = join(dir, "headers.txt");
  writeFileSync(headers, signed.text);
  const check = (url: string) =>
    run(verifyRequestCommand, url, "--headers", headers, "--method", "POST", "--body", body, "--keys", directory);
  const verified = await check(URL);
  expect([verified.code, verified.text]).toEqual([0, expect.stringContaining("sig1: verified")]);
  expect(verified.text).toContain("keys at     https://agent.example/.well-known/http-message-signatures-directory");
  const changed = await check(`${URL}2`);
  expect([changed.code, changed.text]).toEqual([1, "sig1: invalid (bad_signature)\n"]);
});

it("PLG-7 what was asked wrongly is said, and an unsigned request proves nothing", async () => {
  expect((await run(signRequestCommand)).code).toBe(2);
  expect((await run(signRequestCommand, URL, "--key", "k", "--agent", "agent")).code).toBe(2);
  expect((await run(signRequestCommand, URL, "--key", join(dir, "none"), "--agent", "https://a.example")).code).toBe(1);
  expect((await run(verifyRequestCommand, URL, "--header", "nonsense")).code).toBe(2);
  const unsigned = await run(verifyRequestCommand, URL, "--header", "accept: text/html");
  expect([unsigned.code, unsigned.text]).toEqual([1, expect.stringContaining("unsigned")]);
});
