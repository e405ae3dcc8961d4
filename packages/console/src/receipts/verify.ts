import type { MerchantRecordView } from "@countersign/gateway/trusted-contract";
import {
  buildCatalogue,
  displayText,
  OPERATIONS,
  type VerificationReport,
  type VerifyOptions,
  verifyBundle,
} from "@countersign/profile";
import { canonicalJson, digestOfBytes, type JsonObject } from "@countersign/wire";
import { load } from "../server/api.ts";
import { CONSOLE_VERSION } from "../version.ts";
import { type RememberedPin, rememberedPin, rememberPin } from "./pin-memory.ts";

/** What the check in this browser found. */
export interface Checked {
  readonly report: VerificationReport;
  /** How the pin stands to what this browser remembers; absent when the evidence does not hold. */
  readonly pin?: { readonly standing: "new" | "same" | "renewed" | "other"; readonly since?: string };
  /** Whether the checked receipt is the one that the page shows in words; absent when the evidence does not hold. */
  readonly shown?: "same" | "other";
  /** The site's own records: do the bytes fit a hash that the checked receipt names? */
  readonly records: readonly { readonly kind: string; readonly named: boolean }[];
}

/**
 * Takes a task's evidence apart in this browser, with the same verifier that anybody can run offline. The gateway is
 * asked for nothing but the file and the bytes of the site's own records.
 */
export async function checkEvidence(
  { taskId, receipt }: { readonly taskId: string; readonly receipt: JsonObject },
  trust: { readonly pin: string; readonly issuer: string },
): Promise<Checked | "no_file"> {
  const bytes = await download(`/tasks/${taskId}/bundle`);
  if (bytes === undefined) return "no_file";
  const report = await verifyBundle(bytes, { ...trust, render });
  if (!report.ok) return { report, records: [] };
  const checked = report.value.records.receipt;
  return {
    report,
    shown: checked !== undefined && canonicalJson(checked as JsonObject) === canonicalJson(receipt) ? "same" : "other",
    pin: await standingOf(bytes, trust),
    records: await checkRecords(taskId, report.value.records.receipt?.merchant_records ?? []),
  };
}

async function standingOf(
  bytes: Uint8Array,
  { pin, issuer }: { readonly pin: string; readonly issuer: string },
): Promise<NonNullable<Checked["pin"]>> {
  const before = rememberedPin(issuer);
  const now: RememberedPin = { pin, since: new Date().toISOString() };
  if (before === undefined) {
    rememberPin(issuer, now);
    return { standing: "new" };
  }
  if (before.pin === pin) return { standing: "same", since: before.since };
  // A regular change of keys leaves a way from the old pin to the new one in the evidence itself.
  const underOld = await verifyBundle(bytes, { pin: before.pin, issuer, render });
  if (!underOld.ok) return { standing: "other" };
  rememberPin(issuer, now);
  return { standing: "renewed" };
}

async function checkRecords(
  taskId: string,
  named: readonly { readonly kind: string; readonly sha256: string }[],
): Promise<Checked["records"]> {
  const listed = await load<{ readonly records: readonly MerchantRecordView[] }>(`/tasks/${taskId}/records`);
  if (!listed.ok) return [];
  return Promise.all(
    listed.value.records.map(async ({ record_id: recordId, kind }) => {
      const bytes = await download(`/tasks/${taskId}/records/${recordId}`);
      const digest = bytes === undefined ? undefined : await digestOfBytes(bytes);
      return {
        kind,
        named: digest !== undefined && named.some((n) => n.kind === kind && n.sha256 === digest),
      };
    }),
  );
}

async function download(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const response = await fetch(`/trusted/v1${path}`, {
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
  } catch {
    return undefined;
  }
}

const catalogue = buildCatalogue(OPERATIONS);

/** Draws an action again as this version's approval page drew it; another version's drawing is not known here. */
const render: NonNullable<VerifyOptions["render"]> = (record, personal, surface) => {
  const known = catalogue.get(record.operation);
  if (surface.version !== CONSOLE_VERSION || known?.effect !== "commit") return undefined;
  return displayText(known.meaning, record.terms, personal);
};
