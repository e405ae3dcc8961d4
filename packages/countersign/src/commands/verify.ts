import { readFileSync } from "node:fs";
import { CONSOLE_VERSION } from "@countersign/console";
import {
  buildCatalogue,
  displayText,
  OPERATIONS,
  statementOf,
  type Verification,
  type VerifyOptions,
  verifyBundle,
} from "@countersign/profile";
import { parseOrigin } from "@countersign/wire";
import { type Command, print, readArgs, say, usageError } from "../cli.ts";

const PIN = /^[A-Za-z0-9_-]{43}$/;

export const verifyCommand: Command = {
  name: "verify",
  help: `Usage: countersign verify FILE --pin KEY --issuer URL [--json]

Checks a downloaded evidence bundle without asking anybody: the key set under the pin, the approval, the
receipt, and that they belong together. Reports how much it proves: L1 signed by the gateway's operator,
L2 also logged, L3 also signed by the account holder's own passkey, L4 also by evidence of others.
Exit code 0 when it holds, 1 when it does not.

  --pin KEY      the thumbprint of the gateway's log key (printed by "countersign start")
  --issuer URL   the gateway's origin, for example http://localhost:4600
  --json         print the report as JSON`,
  async run(args) {
    const parsed = readArgs(args, { pin: { type: "string" }, issuer: { type: "string" }, json: { type: "boolean" } });
    if (!parsed.ok) return usageError(verifyCommand, parsed.reason);
    const { pin, issuer, json } = parsed.value.values;
    const [file] = parsed.value.positionals;
    if (file === undefined) return usageError(verifyCommand, "which file?");
    if (pin === undefined || !PIN.test(pin))
      return usageError(verifyCommand, "--pin takes the 43 characters of the key's thumbprint");
    if (issuer === undefined || !parseOrigin(issuer).ok)
      return usageError(verifyCommand, "--issuer takes the gateway's origin");
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch {
      say(`${file} cannot be read`);
      return 1;
    }
    const report = await verifyBundle(text, { pin, issuer, render });
    if (json === true)
      print(JSON.stringify(report.ok ? { ok: true, ...report.value } : { ok: false, refusal: report.reason }, null, 2));
    if (!report.ok) {
      const { code, step, part } = report.reason;
      say(`This bundle does not hold: ${code} (${part}, step ${step}).`);
      return 1;
    }
    if (json !== true) for (const line of lines(report.value)) print(line);
    return 0;
  },
};

const catalogue = buildCatalogue(OPERATIONS);

/** Draws an action again as this version's approval page drew it. */
const render: NonNullable<VerifyOptions["render"]> = (record, personal, surface) => {
  const known = catalogue.get(record.operation);
  if (surface.version !== CONSOLE_VERSION || known?.effect !== "commit") return undefined;
  return displayText(known.meaning, record.terms, personal);
};

function lines(report: Verification): readonly string[] {
  const { receipt } = report.records;
  return [
    `The bundle holds: ${statementOf(report)}.`,
    `  level       ${report.level}`,
    `  proves      ${report.proves}`,
    `  display     ${report.display}, drawn again: ${report.rendering}`,
    `  receipt     ${report.receipt}${receipt === undefined ? "" : ` (number ${receipt.account_seq} of this account)`}`,
    ...(receipt?.destination?.confirmation === undefined ? [] : [`  confirmed   ${receipt.destination.confirmation}`]),
    ...report.notes.map((note) => `  note        ${note}`),
  ];
}
