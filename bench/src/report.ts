import { availableParallelism, cpus, loadavg } from "node:os";
import type { Measurement } from "./measurement.ts";
import type { Options } from "./options.ts";
import { rounded } from "./stats.ts";

export interface Report {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly load_before: number;
  readonly load_after: number;
  readonly scale: string;
  readonly seconds_each: number;
  readonly measurements: readonly Measurement[];
}

export function makeReport(options: Options, loadBefore: number, measurements: readonly Measurement[]): Report {
  return {
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    load_before: rounded(loadBefore),
    load_after: rounded(loadavg()[0] ?? 0),
    scale: options.scale,
    seconds_each: options.seconds,
    measurements: measurements.map(tidy),
  };
}

function tidy(measurement: Measurement): Measurement {
  const figures = Object.entries(measurement.figures).map(([name, value]) => [name, rounded(value)] as const);
  const targets = measurement.targets.map((target) => ({ ...target, got: rounded(target.got) }));
  return { ...measurement, figures: Object.fromEntries(figures), targets };
}

export function table(report: Report): string {
  const head = [
    `Node ${report.node}, ${report.cores} cores (${report.cpu}), load ${report.load_before} before, ${report.load_after} after; ${report.scale}`,
    "",
    "| measured | figures |",
    "|---|---|",
  ];
  const rows = report.measurements.map((m) => `| ${m.what} | ${figures(m.figures)} |`);
  const targets = report.measurements.flatMap((m) => m.targets);
  const judged = targets.map((t) => `| ${t.what} | ${t.wanted} | ${t.got} | ${t.met ? "yes" : "NO"} |`);
  const tail = targets.length === 0 ? [] : ["", "| target | wanted | got | met |", "|---|---|---|---|", ...judged];
  return [...head, ...rows, ...tail].join("\n");
}

function figures(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
    .join(", ");
}
