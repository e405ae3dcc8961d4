import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CASES } from "../src/index.ts";
import { BREAKS } from "./support/breaks.ts";
import { runAgainst } from "./support/broken-world.ts";

/** Between them they use every way in: agents, the person's page, hand-offs, streams, evidence. */
const HONEST = new Set(["PUB-1", "PUB-3", "PUB-4", "MFA-3", "STA-1", "REC-4"]);
const README = new URL("../README.md", import.meta.url);
const CASE_MS = 180_000;

describe("the suite catches a broken gateway", () => {
  it("every case has a break, and every break a case", () => {
    expect([...BREAKS.keys()].sort()).toEqual(CASES.map((c) => c.id).sort());
  });

  it("every case has its row in the README", () => {
    const rows = [...readFileSync(README, "utf8").matchAll(/^\| `([^`]+)` \| [A-Z]{3}-/gm)].map((row) => row[1]);
    expect(rows).toEqual(CASES.map((c) => c.id));
  });

  it("through an honest proxy nothing is caught", { timeout: CASE_MS }, async () => {
    const report = await runAgainst(
      {},
      CASES.filter((c) => HONEST.has(c.id)),
    );
    expect(report.cases.filter((c) => c.result !== "passed")).toEqual([]);
    expect(report.passed).toBe(true);
  });

  // Each has a gateway and a shop of its own, and mostly waits.
  it.concurrent.each(CASES.map((c) => [c.id, BREAKS.get(c.id)?.what ?? "", c] as const))(
    "%s catches a gateway that %s",
    { timeout: CASE_MS },
    async (id, _what, one) => {
      const { wrong, caught } = BREAKS.get(id) ?? { wrong: {}, caught: /^$/ };
      const report = await runAgainst(wrong, [one]);
      expect(report.cases).toMatchObject([{ id, result: "failed" }]);
      expect(report.cases[0]?.why).toMatch(caught);
      expect(report.passed).toBe(false);
    },
  );
});
