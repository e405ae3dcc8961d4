import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { call } from "../src/http.ts";
import { CASES, type ConformanceReport, conformanceReport, reportLines } from "../src/index.ts";
import { runAgainst } from "./support/broken-world.ts";

const RUN_MS = 120_000;
const chosen = (...ids: readonly string[]) => CASES.filter((c) => ids.includes(c.id));

describe("a run", () => {
  it("without a second tenant says which cases do not apply, and does not call that a failure", {
    timeout: RUN_MS,
  }, async () => {
    const alone = await runAgainst(
      {
        driver: (real) => ({
          async open(settings) {
            const cast = await real.open(settings);
            return { ...cast, pin: undefined, holders: [cast.holders[0]] };
          },
        }),
      },
      chosen("PUB-1", "REQ-2", "REC-4"),
    );
    expect(alone.cases.map((c) => [c.id, c.result])).toEqual([
      ["PUB-1", "not_applicable"],
      ["REQ-2", "passed"],
      ["REC-4", "not_applicable"],
    ]);
    expect(alone.cases[0]?.why).toContain("no second holder");
    expect(alone.passed).toBe(true);
  });

  it("says that it could not run when the account holder's side does not do its part", {
    timeout: RUN_MS,
  }, async () => {
    const report = await runAgainst(
      {
        driver: (real) => ({
          async open(settings) {
            const cast = await real.open(settings);
            const [first, ...others] = cast.holders;
            const broken = { ...first, connectAccount: () => Promise.reject(new Error("nobody is there")) };
            return { ...cast, holders: [broken, ...others] };
          },
        }),
      },
      chosen("PUB-5"),
    );
    expect(report.cases).toMatchObject([{ result: "not_run", why: "nobody is there" }]);
    expect(report.passed).toBe(false);
  });

  it("shows no token and no session in its report", { timeout: RUN_MS }, async () => {
    const report = await runAgainst(
      {
        driver: (real) => ({
          async open(settings) {
            const cast = await real.open(settings);
            const [first, ...others] = cast.holders;
            const revoke = async (): Promise<void> => {
              const token = (await first.agents[0].authorization()) ?? "";
              throw new Error(`the page said ${first.secrets()[0] ?? ""} to ${token}`);
            };
            return { ...cast, holders: [{ ...first, revoke }, ...others] };
          },
        }),
      },
      chosen("CON-1"),
    );
    expect(report.cases[0]?.why).toBe("the page said [removed] to Bearer [removed]");
  });
});

describe("the report", () => {
  const report: ConformanceReport = {
    schema: "countersign.conformance-report/1",
    notice: "This is a test report.",
    profile: "sophtron.agentic-web-execution/0.1",
    gateway: "http://localhost:1",
    transport: "http",
    started_at: "2026-01-01T00:00:00Z",
    finished_at: "2026-01-01T00:00:01Z",
    passed: false,
    totals: { passed: 1, failed: 1, not_applicable: 1, not_run: 0 },
    cases: [
      { ...one("PUB-1"), result: "passed" },
      {
        ...one("PUB-2"),
        result: "failed",
        why: "it was submitted",
        evidence: [{ what: "the shop counted", value: 1 }],
      },
      { ...one("REC-4"), group: "Receipts", result: "not_applicable", why: "no pin" },
    ],
  };

  it("is a document of its own schema", () => {
    expect(conformanceReport.safeParse(report).success).toBe(true);
    expect(conformanceReport.safeParse({ ...report, certified: true }).success).toBe(false);
  });

  it("for people is grouped, says what was seen of a failure, and ends with one line", () => {
    expect(reportLines(report)).toMatchInlineSnapshot(`
      [
        "Conformance of http://localhost:1 with sophtron.agentic-web-execution/0.1, over http",
        "",
        "Published behaviours",
        "  pass  PUB-1          Claim of PUB-1. [REQ-2]",
        "  FAIL  PUB-2          Claim of PUB-2. [REQ-2]",
        "                       it was submitted",
        "                       - did it",
        "                       > the shop counted: 1",
        "",
        "Receipts",
        "  n/a   REC-4          Claim of REC-4. [REQ-2]",
        "                       no pin",
        "",
        "This is a test report.",
        "NOT PASSED: 1 passed, 1 failed, 1 not applicable.",
      ]
    `);
  });

  it("passes only when something passed", () => {
    const none = { ...report, cases: [], totals: { passed: 0, failed: 0, not_applicable: 0, not_run: 0 } };
    expect(reportLines(none).at(-1)).toBe("NOTHING WAS RUN: 0 passed, 0 failed.");
  });
});

describe("a gateway that is asked too often", () => {
  it("is asked again after the pause it wants", async () => {
    let calls = 0;
    const server = createServer((_request, response) => {
      calls += 1;
      if (calls === 1) response.writeHead(429, { "retry-after": "1" }).end();
      else response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const answer = await call({ method: "POST", url: `http://127.0.0.1:${port}/`, body: "{}" });
      expect([answer.status, calls]).toEqual([200, 2]);
    } finally {
      server.close();
    }
  });
});

function one(id: string): Omit<ConformanceReport["cases"][number], "result"> {
  return {
    id,
    requirements: [id, "REQ-2"],
    group: "Published behaviours",
    claim: `Claim of ${id}.`,
    did: ["did it"],
    evidence: [],
    duration_ms: 1,
  };
}
