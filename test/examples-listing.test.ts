import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

it("PLG-11 PLG-5 EX-08 the listing on a sample application runs by one command, marked without colour, a sentence each", () => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const [program = "", ...args] = (scripts["example:listing"] ?? "").split(" ");
  expect(program).toBe("node");
  const ran = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
  const [plain = "", used = ""] = ran.stdout.split("$ countersign protocols application.yaml\n");
  for (const id of ["a2a", "mcp"]) expect(plain).toMatch(new RegExp(`^ {2}\\S.* ${id} `, "m"));
  expect(plain).not.toMatch(/^\*/m);
  expect(used).toMatch(/^\* Model Context Protocol .*\n {4}It reaches 2 connections: tickets and recipes\.$/m);
  expect(used).toMatch(
    /^\* Agent2Agent Protocol .*\n {4}It publishes this card extension: https:\/\/errands\.example\/\S+\.$/m,
  );
  // Nothing but letters: no colour, no cursor.
  expect(ran.stdout).not.toContain("\u001b");
});
