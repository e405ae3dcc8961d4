import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const RUN = fileURLToPath(new URL("../examples/web-bot-auth/run.ts", import.meta.url));

it("PLG-11 EX-01 EX-02 a signed agent, its directory, a replay that is refused, and a rotation", () => {
  const ran = spawnSync(process.execPath, [RUN], { encoding: "utf8" });
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
  expect(ran.stdout).toContain("(the shop's log: unsigned)");
  expect(ran.stdout).toMatch(
    /200 Tea, 4\.20\. Shown to http:\/\/127\.0\.0\.1:[0-9]+\/\.well-known\/http-message-signatures-directory/,
  );
  expect(ran.stdout).toContain("(the shop's log: replayed)");
  expect(ran.stdout).toContain("(the shop's log: key_not_in_directory)");
  expect(ran.stdout).not.toContain('"d"');
});
