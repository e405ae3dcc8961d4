import { defineConfig } from "vitest/config";

/** What touches the store most; `npm run postgres` has the rest of the black-box files too. */
const ON_POSTGRES = ["api", "approval", "consent", "continuations", "evidence", "purchase", "task-events"];
if (process.env["COUNTERSIGN_POSTGRES"] === "all") {
  ON_POSTGRES.push("access", "authority", "cli", "crash", "hostile", "people", "published", "time", "verification");
  // The doors touch it in ways of their own: codes, proofs and states that count once, messages, pushes.
  ON_POSTGRES.push("a2a", "a2a-outcome", "mcp-waiting", "oauth-device", "oauth-dpop");
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "main",
          include: [
            "{packages,routes,adapters,protocols}/*/{src,test}/**/*.test.ts",
            "tools/**/*.test.ts",
            "proofs/**/*.test.ts",
            "test/**/*.test.ts",
          ],
          globalSetup: ["tools/postgres/test-server.ts"],
          // Half an hour off the hour, so that no test leans on UTC (lessons U54); `npm run zones` is a day ahead.
          env: { TZ: process.env["TZ"] ?? "Asia/Kolkata" },
        },
      },
      {
        // The same black-box files again, with every gateway's store on PostgreSQL, and in a zone that is a day ahead.
        extends: true,
        test: {
          name: "postgres",
          include: ON_POSTGRES.map((name) => `test/${name}.test.ts`),
          globalSetup: ["tools/postgres/test-server.ts"],
          env: { COUNTERSIGN_TEST_STORE: "postgres", TZ: "Pacific/Apia" },
        },
      },
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A real browser on a busy CI machine may miss a wait once; what is broken fails twice.
    retry: process.env["CI"] ? 1 : 0,
  },
});
