import { PROFILE_ID } from "@countersign/profile";
import { formatInstant, instant, type Json } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { CheckFailed, NotApplicable } from "../check.ts";
import type { Cast, HolderDriver } from "../holder/holder.ts";
import { CASE_MS, EVIDENCE_CHARS_MAX } from "../limits.ts";
import { type CaseReport, type ConformanceReport, REPORT_NOTICE, REPORT_SCHEMA_ID } from "../report/report.ts";
import { shopAt } from "../shop/control.ts";
import { Actor } from "../stage/actor.ts";
import { Scene, type Stage } from "../stage/scene.ts";
import { httpTransport } from "../transport/http.ts";
import { newTranscript } from "../transport/transport.ts";

export interface RunSettings {
  /** The gateway's URL, as the suite reaches it. */
  readonly gateway: string;
  /** The gateway's own name, where it is reached by another; `gateway` when absent. */
  readonly issuer?: string;
  /** The practice shop's control port. */
  readonly shopControl: string;
  readonly driver: HolderDriver;
  readonly holderSettings?: string;
  /** The log key's thumbprint, where it is known from elsewhere than the driver. */
  readonly pin?: string;
  readonly cases: readonly ConformanceCase[];
  /** Told of each case as it begins and ends. */
  readonly progress?: (line: string) => void;
}

/** Runs the cases one after another against one gateway; never throws for what the gateway does. */
export async function runConformance(settings: RunSettings): Promise<ConformanceReport> {
  const startedAt = Date.now();
  const { gateway, issuer = gateway } = settings;
  const shop = shopAt(settings.shopControl);
  const transcript = newTranscript();
  const transport = httpTransport(gateway, transcript);
  const cast = await settings.driver.open({ gateway, issuer, shop, own: settings.holderSettings ?? "" });
  const [first, second] = cast.holders;
  const stage: Stage = {
    gateway,
    issuer,
    pin: settings.pin ?? cast.pin,
    shop,
    transport,
    transcript,
    first: new Actor(first, transport),
    second: second === undefined ? undefined : new Actor(second, transport),
  };
  const reports: CaseReport[] = [];
  try {
    for (const one of settings.cases) {
      settings.progress?.(`... ${one.id}: ${one.claim}`);
      const report = await runCase(stage, one, cast);
      settings.progress?.(
        `    ${report.result}${report.why === undefined ? "" : `: ${report.why}`} (${report.duration_ms} ms)`,
      );
      reports.push(report);
    }
  } finally {
    await cast.close();
  }
  const count = (result: CaseReport["result"]) => reports.filter((r) => r.result === result).length;
  const totals = {
    passed: count("passed"),
    failed: count("failed"),
    not_applicable: count("not_applicable"),
    not_run: count("not_run"),
  };
  return {
    schema: REPORT_SCHEMA_ID,
    notice: REPORT_NOTICE,
    profile: PROFILE_ID,
    gateway,
    transport: transport.name,
    started_at: formatInstant(instant(startedAt)),
    finished_at: formatInstant(instant(Date.now())),
    passed: totals.failed + totals.not_run === 0 && totals.passed > 0,
    totals,
    cases: reports,
  };
}

async function runCase(stage: Stage, one: ConformanceCase, cast: Cast): Promise<CaseReport> {
  const begun = performance.now();
  let scene: Scene | undefined;
  let ended: Pick<CaseReport, "result" | "why"> & { readonly seen?: Json };
  try {
    scene = await Scene.open(stage);
    await bounded(one.run(scene));
    ended = { result: "passed" };
  } catch (error) {
    ended = endOf(error);
  }
  try {
    await scene?.clear();
  } catch (error) {
    if (ended.result === "passed") ended = { result: "not_run", why: `clearing up: ${messageOf(error)}` };
  }
  const evidence = [
    ...(scene?.evidence ?? []),
    ...(ended.seen === undefined ? [] : [{ what: "seen instead", value: ended.seen }]),
  ];
  const secrets = cast.holders.flatMap((holder) => holder.secrets());
  return {
    id: one.id,
    requirements: [...one.requirements],
    group: one.group,
    claim: one.claim,
    result: ended.result,
    ...(ended.why === undefined ? {} : { why: clean(ended.why, secrets) }),
    did: [...(scene?.steps ?? [])],
    evidence: evidence.map(({ what, value }) => ({ what, value: shortened(value, secrets) })),
    duration_ms: Math.round(performance.now() - begun),
  };
}

function endOf(error: unknown): Pick<CaseReport, "result" | "why"> & { readonly seen?: Json } {
  if (error instanceof CheckFailed)
    return { result: "failed", why: error.message, ...(error.seen === undefined ? {} : { seen: error.seen }) };
  if (error instanceof NotApplicable) return { result: "not_applicable", why: error.message };
  return { result: "not_run", why: messageOf(error) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.message}` : "unknown trouble";
}

async function bounded(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CheckFailed(`the case ends within ${CASE_MS / 1000} seconds`)), CASE_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A report is shown around: nothing in it opens anything. */
function clean(text: string, secrets: readonly string[]): string {
  const known = secrets
    .filter((secret) => secret !== "")
    .reduce((t, secret) => t.replaceAll(secret, "[removed]"), text);
  return known.replace(/Bearer [\w.~+/-]+=*/gi, "Bearer [removed]");
}

function shortened(value: Json, secrets: readonly string[]): Json {
  const text = clean(JSON.stringify(value), secrets);
  if (text.length > EVIDENCE_CHARS_MAX) return `${text.slice(0, EVIDENCE_CHARS_MAX)} … (${text.length} characters)`;
  return JSON.parse(text) as Json;
}
