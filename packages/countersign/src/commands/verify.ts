import { readFileSync } from "node:fs";
import { CONSOLE_VERSION } from "@countersign/console";
import {
  buildCatalogue,
  displayText,
  type HeldCheckpoint,
  levelInWords,
  noteInWords,
  OPERATIONS,
  present,
  refusalInWords,
  statementOf,
  textLines,
  type Verification,
  type VerifyOptions,
  verifyBundle,
} from "@countersign/profile";
import { parseOrigin, plainText, revealText } from "@countersign/wire";
import { type Command, print, printJson, readArgs, say, usageError } from "../cli.ts";
import { readHeld } from "../verify/held-checkpoint.ts";

const PIN = /^[A-Za-z0-9_-]{43}$/;

export const verifyCommand: Command = {
  name: "verify",
  help: `Usage: countersign verify FILE --pin KEY --issuer URL [--checkpoint FILE [--consistency FILE]] [--json]

Checks a downloaded evidence bundle without asking anybody: the key set under the pin, the approval, the
receipt, and that they belong together. Reports how much it proves: L1 signed by the gateway's operator,
L2 also logged, L3 also signed by the account holder's own passkey, L4 also by evidence of others.
Exit code 0 when it holds, 1 when it does not.

  --pin KEY           the thumbprint of the gateway's log key (printed by "countersign start")
  --issuer URL        the gateway's origin, for example http://localhost:4600
  --checkpoint FILE   a checkpoint of the log that you kept: an earlier bundle, or what
                      URL/.well-known/countersign-log/checkpoint answered. The bundle must continue it:
                      so a receipt that was removed or changed since shows.
  --consistency FILE  the proof of that, as URL/.well-known/countersign-log/consistency?from=..&to=..
                      answers it (when it is missing, the sizes to ask for are printed)
  --json              print the report as JSON`,
  async run(args) {
    const parsed = readArgs(args, {
      pin: { type: "string" },
      issuer: { type: "string" },
      checkpoint: { type: "string" },
      consistency: { type: "string" },
      json: { type: "boolean" },
    });
    if (!parsed.ok) return usageError(verifyCommand, parsed.reason);
    const { pin, issuer, checkpoint, consistency, json } = parsed.value.values;
    const [file] = parsed.value.positionals;
    if (file === undefined) return usageError(verifyCommand, "which file?");
    if (pin === undefined || !PIN.test(pin))
      return usageError(verifyCommand, "--pin takes the 43 characters of the key's thumbprint");
    if (issuer === undefined || !parseOrigin(issuer).ok)
      return usageError(verifyCommand, "--issuer takes the gateway's origin");
    if (consistency !== undefined && checkpoint === undefined)
      return usageError(verifyCommand, "--consistency belongs to a --checkpoint");
    const text = readText(file);
    if (text === undefined) return 1;
    const held = checkpoint === undefined ? undefined : heldCheckpoint(issuer, text, checkpoint, consistency);
    if (checkpoint !== undefined && held === undefined) return 1;
    const olderCheckpoint = held === undefined ? {} : { olderCheckpoint: held };
    const report = await verifyBundle(text, { pin, issuer, render, ...olderCheckpoint });
    if (json === true) printJson(report.ok ? { ok: true, ...report.value } : { ok: false, refusal: report.reason });
    if (!report.ok) {
      const { code, step, part } = report.reason;
      say(`This bundle does not hold: ${refusalInWords(report.reason)} (${part}: ${code}, step ${step}).`);
      return 1;
    }
    if (json !== true) for (const line of lines(report.value)) print(line);
    return 0;
  },
};

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    say(`${file} cannot be read`);
    return undefined;
  }
}

/** The checkpoint that the reader holds; undefined, with the reason said, when it cannot be compared. */
function heldCheckpoint(
  issuer: string,
  bundle: string,
  file: string,
  proofFile: string | undefined,
): HeldCheckpoint | undefined {
  const kept = readText(file);
  const proof = proofFile === undefined ? undefined : readText(proofFile);
  if (kept === undefined || (proofFile !== undefined && proof === undefined)) return undefined;
  const held = readHeld(bundle, kept, proof);
  if (held.ok) return held.value;
  switch (held.reason.kind) {
    case "no_checkpoint":
      say(`${file} holds no checkpoint of a log`);
      break;
    case "no_proof":
      say(`${proofFile ?? file} holds no consistency proof`);
      break;
    case "proof_missing": {
      const { from, to } = held.reason;
      say("The bundle and the checkpoint that you hold are of different sizes of the log. Save the proof from");
      say(`  ${issuer}/.well-known/countersign-log/consistency?from=${from}&to=${to}`);
      say("to a file, and name it with --consistency. Nothing was verified.");
    }
  }
  return undefined;
}

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
    `  level       ${report.level}: ${levelInWords(report.level)}`,
    `  proves      ${report.proves}`,
    `  display     ${report.display}, drawn again: ${report.rendering}`,
    `  receipt     ${report.receipt}${receipt === undefined ? "" : ` (number ${receipt.account_seq} of this account)`}`,
    ...(receipt?.destination?.confirmation === undefined
      ? []
      : [`  confirmed   ${plainText(revealText(receipt.destination.confirmation))}`]),
    ...report.notes.map((note) => `  note        ${noteInWords(note)}`),
    ...recordLines(report),
  ];
}

/** What was decided about, drawn from the verified record by the one renderer; texts that are withheld stay so. */
function recordLines({ records, disclosed }: Verification): readonly string[] {
  const { action } = records;
  const known = action === undefined ? undefined : catalogue.get(action.operation);
  if (action === undefined || known?.effect !== "commit") return [];
  return ["", ...textLines(present(known.meaning, action.terms, disclosed)).map((line) => `  ${line}`)];
}
