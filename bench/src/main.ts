import { loadavg } from "node:os";
import { measureEgress } from "./egress/measure.ts";
import { measureIdentity } from "./identity/measure.ts";
import { measurePostgresLives } from "./life/measure-postgres.ts";
import { measureSqliteLives } from "./life/measure-sqlite.ts";
import { measureMcp } from "./mcp/measure.ts";
import type { Measurement } from "./measurement.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { measureStart } from "./process/start.ts";
import { measureWaiting } from "./process/waiting.ts";
import { measurePurchase } from "./purchase/measure.ts";
import { measureReading } from "./reading/measure.ts";
import { makeReport, table } from "./report.ts";

interface Entry {
  readonly name: string;
  readonly help: string;
  readonly store?: "sqlite" | "postgres";
  readonly run: (options: Options) => Promise<readonly Measurement[]>;
}

const ENTRIES: readonly Entry[] = [
  {
    name: "life-sqlite",
    help: "whole lives a second on SQLite, beside its raw durable commits",
    store: "sqlite",
    run: measureSqliteLives,
  },
  {
    name: "life-postgres",
    help: "the same on PostgreSQL, beside its raw commits and beside the same flow on DBOS",
    store: "postgres",
    run: measurePostgresLives,
  },
  { name: "http-route", help: "an order by the HTTP route beside a bare fetch of the same", run: measureEgress },
  { name: "mcp-read", help: "a read by tools/call beside the bare library with the same tool", run: measureMcp },
  {
    name: "browser-purchase",
    help: "a purchase at a shop's pages beside a Playwright script that does the same",
    run: measurePurchase,
  },
  {
    name: "identity",
    help: "signing and verifying a request beside bare Ed25519 and beside npm web-bot-auth",
    run: measureIdentity,
  },
  { name: "start", help: "cold start, and memory of the idle gateway", run: measureStart },
  {
    name: "waiting",
    help: "memory with many tasks that wait for a person",
    store: "sqlite",
    run: measureWaiting,
  },
  { name: "reading", help: "reading one task among few and among many", store: "sqlite", run: measureReading },
];

const names = ENTRIES.map((entry) => entry.name);
const options = readOptions(process.argv.slice(2), names);
if (options === "help") {
  console.log(HELP + ENTRIES.map((entry) => `  ${entry.name.padEnd(16)}${entry.help}`).join("\n"));
} else if ("problem" in options) {
  console.error(`${options.problem}\n\n${HELP}${names.map((name) => `  ${name}`).join("\n")}`);
  process.exitCode = 2;
} else {
  const loadBefore = loadavg()[0] ?? 0;
  const found: Measurement[] = [];
  for (const entry of ENTRIES) {
    if (options.only.length > 0 && !options.only.includes(entry.name)) continue;
    if (entry.store !== undefined && !options.stores.includes(entry.store)) continue;
    if (options.format === "table") console.error(`measuring: ${entry.help}`);
    found.push(...(await entry.run(options)));
  }
  const report = makeReport(options, loadBefore, found);
  console.log(options.format === "json" ? JSON.stringify(report, undefined, 2) : table(report));
}
