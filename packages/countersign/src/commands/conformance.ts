import {
  CASES,
  type ConformanceCase,
  type ConformanceReport,
  countersignDriver,
  loadDriver,
  type RunSettings,
  reportJsonSchema,
  reportLines,
  runConformance,
} from "@countersign/conformance";
import { err, ok, parseOrigin, type Result } from "@countersign/wire";
import { type Command, type ExitCode, print, printJson, readArgs, say, usageError } from "../cli.ts";
import { socketOperator } from "../conformance/operator.ts";
import { dataDir } from "../setup/data-dir.ts";

export const conformanceCommand: Command = {
  name: "conformance",
  help: `Usage: countersign conformance --self [--json] [--only ID,ID]
       countersign conformance --gateway URL --shop-control URL [--data DIR] [--json]
       countersign conformance --gateway URL --shop-control URL --holder MODULE [--holder-settings TEXT] [--json]

Runs the black-box cases of the profile against a gateway whose destination is a practice shop, and reports what
they saw. It is a test report, not a certificate. Exit code 0 when every case that applies passes.

  --self                  starts a throw-away gateway and practice shop on this machine and tries those
  --gateway URL           the gateway; give it a practice shop as the destination "practice-shop"
  --shop-control URL      the practice shop's control port
  --data DIR              a Countersign gateway's data directory: two account holders for the run, each in a tenant of
                          their own, are added to it through the operator's socket
  --holder MODULE         another gateway's driver, which acts as the account holders (packages/conformance/README.md)
  --holder-settings TEXT  what that driver is given
  --issuer URL            the gateway's own name, when it is reached by another
  --pin KEY               the thumbprint of the gateway's log key, when the driver does not know it
  --only ID,ID            these cases only
  --list                  print the cases and end
  --schema                print the JSON Schema of the report and end
  --json                  print the report as one JSON document; progress goes to standard error`,
  async run(args) {
    const parsed = readArgs(args, {
      self: { type: "boolean" },
      gateway: { type: "string" },
      "shop-control": { type: "string" },
      data: { type: "string" },
      holder: { type: "string" },
      "holder-settings": { type: "string" },
      issuer: { type: "string" },
      pin: { type: "string" },
      only: { type: "string" },
      list: { type: "boolean" },
      schema: { type: "boolean" },
      json: { type: "boolean" },
    });
    if (!parsed.ok) return usageError(conformanceCommand, parsed.reason);
    const { values } = parsed.value;
    if (values.list === true) return listCases();
    if (values.schema === true) {
      printJson(reportJsonSchema());
      return 0;
    }
    const cases = chosenCases(values.only);
    if (!cases.ok) return usageError(conformanceCommand, cases.reason);
    const show = values.json === true ? showJson : showLines;
    if (values.self === true) return trySelf(cases.value, show);
    const settings = await settingsOf(values);
    if (!settings.ok) return usageError(conformanceCommand, settings.reason);
    return run({ ...settings.value, cases: cases.value, progress: say }, show);
  },
};

type Show = (report: ConformanceReport) => void;

const showJson: Show = (report) => printJson(report);
const showLines: Show = (report) => {
  for (const line of reportLines(report)) print(line);
};

async function run(settings: RunSettings, show: Show): Promise<ExitCode> {
  try {
    const report = await runConformance(settings);
    show(report);
    return report.passed ? 0 : 1;
  } catch (error) {
    say(`The run could not begin: ${error instanceof Error ? error.message : "unknown"}`);
    return 1;
  }
}

async function trySelf(cases: readonly ConformanceCase[], show: Show): Promise<ExitCode> {
  const { openThrowaway } = await import("../conformance/throwaway.ts");
  const world = await openThrowaway();
  if (!world.ok) {
    say(`countersign conformance: ${world.reason}`);
    return 1;
  }
  const { issuer, shopControl, dataDir: dir } = world.value;
  try {
    const driver = countersignDriver(socketOperator(dir));
    return await run({ gateway: issuer, shopControl, driver, cases, progress: say }, show);
  } finally {
    await world.value.close();
  }
}

interface Values {
  readonly gateway?: string | undefined;
  readonly "shop-control"?: string | undefined;
  readonly data?: string | undefined;
  readonly holder?: string | undefined;
  readonly "holder-settings"?: string | undefined;
  readonly issuer?: string | undefined;
  readonly pin?: string | undefined;
}

async function settingsOf(values: Values): Promise<Result<Omit<RunSettings, "cases">, string>> {
  const { gateway, issuer, pin, holder } = values;
  const shopControl = values["shop-control"];
  const own = values["holder-settings"];
  if (gateway === undefined || !parseOrigin(gateway).ok)
    return err("--gateway takes the gateway's origin (or say --self)");
  if (shopControl === undefined || !parseOrigin(shopControl).ok)
    return err("--shop-control takes the origin of the practice shop's control port");
  if (issuer !== undefined && !parseOrigin(issuer).ok) return err("--issuer takes an origin");
  const driver =
    holder === undefined ? ok(countersignDriver(socketOperator(dataDir(values.data)))) : await loadDriver(holder);
  if (!driver.ok) return driver;
  return ok({
    gateway,
    shopControl,
    driver: driver.value,
    ...(issuer === undefined ? {} : { issuer }),
    ...(pin === undefined ? {} : { pin }),
    ...(own === undefined ? {} : { holderSettings: own }),
  });
}

function chosenCases(only: string | undefined): Result<readonly ConformanceCase[], string> {
  if (only === undefined) return ok(CASES);
  const ids = only.split(",").map((id) => id.trim());
  const unknown = ids.filter((id) => !CASES.some((c) => c.id === id));
  if (unknown.length > 0) return err(`no such case: ${unknown.join(", ")} (see --list)`);
  return ok(CASES.filter((c) => ids.includes(c.id)));
}

function listCases(): ExitCode {
  const width = Math.max(...CASES.map((c) => c.id.length));
  for (const { id, claim, requirements } of CASES) print(`${id.padEnd(width)}  ${claim} [${requirements.join(" ")}]`);
  return 0;
}
