import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{packages,routes,adapters}/*/{src,test}/**/*.test.ts", "tools/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A real browser on a busy CI machine may miss a wait once; what is broken fails twice.
    retry: process.env["CI"] ? 1 : 0,
  },
});
