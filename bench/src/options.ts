import { parseArgs } from "node:util";

export type StoreKind = "sqlite" | "postgres";

export interface Options {
  /** Names to run; empty for all. */
  readonly only: readonly string[];
  readonly stores: readonly StoreKind[];
  readonly scale: "full" | "quick";
  /** How long each rate is measured. */
  readonly seconds: number;
  readonly format: "table" | "json";
}

export const HELP = `Usage: npm run bench -- [--only NAME,...] [--store sqlite|postgres] [--quick] [--seconds N] [--json]

Measures a gateway beside what its machine can do, in one run. Figures are ratios, not promises.

  --only NAME     some of the measurements; without it, all of them
  --store KIND    one store; without it, both (PostgreSQL is started from the machine's packages)
  --quick         100,000 tasks in place of a million, 1,000 waiting in place of 10,000, shorter runs
  --seconds N     how long each rate is measured (default 6; 2 with --quick)
  --json          one JSON document in place of the table

Measurements:
`;

export function readOptions(
  argv: readonly string[],
  names: readonly string[],
): Options | { readonly problem: string } | "help" {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(argv);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "unreadable arguments" };
  }
  if (values.help === true) return "help";
  const only = (values.only ?? []).flatMap((list) => list.split(","));
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) return { problem: `no measurement is called ${unknown}` };
  const store = values.store;
  if (store !== undefined && store !== "sqlite" && store !== "postgres")
    return { problem: `no store is called ${store}` };
  const quick = values.quick === true;
  const seconds = Number(values.seconds ?? (quick ? 2 : 6));
  if (!(seconds > 0)) return { problem: "--seconds wants a number above zero" };
  return {
    only,
    stores: store === undefined ? ["sqlite", "postgres"] : [store],
    scale: quick ? "quick" : "full",
    seconds,
    format: values.json === true ? "json" : "table",
  };
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      only: { type: "string", multiple: true },
      store: { type: "string" },
      quick: { type: "boolean" },
      seconds: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  }).values;
}
