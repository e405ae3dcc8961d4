import { holdsSecret, maskText, type ToMask } from "@countersign/plugin/site";
import { FAULTS, type FaultName } from "../contract.ts";
import type { PromiseName } from "../promises.ts";
import type { Break, NotTried } from "../report.ts";

/** What was seen so far; the same thing once. */
export class Findings {
  readonly broken: Break[] = [];
  readonly notTried: NotTried[] = [];
  readonly notes: string[] = [];
  readonly #faults = new Set<FaultName>();
  /** The operation that is being tried; said by whoever cannot know it, such as a log line. */
  operation = "";

  broke(promise: PromiseName, operation: string, during: string, seen: string): void {
    const one = { promise, operation: operation === "" ? this.operation : operation, during, seen };
    const known = this.broken.some((each) => JSON.stringify(each) === JSON.stringify(one));
    if (!known) this.broken.push(one);
  }

  faultOn(fault: FaultName): void {
    this.#faults.add(fault);
  }

  get faults(): readonly FaultName[] {
    return FAULTS.filter((fault) => this.#faults.has(fault));
  }

  skipped(operation: string, fault: NotTried["fault"], why: string): void {
    const known = this.notTried.some((each) => each.operation === operation && each.fault === fault);
    if (!known) this.notTried.push({ operation, fault, why });
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  said(operation: string, during: string, where: string, text: string, known: ToMask): void {
    if (
      holdsSecret(
        text,
        known.secrets.filter((one) => one.reveal().length >= TELLING_CHARS_MIN),
      )
    )
      this.broke("secrets", operation, during, `a secret of the session stands in ${where}`);
    const personal = (known.personal ?? []).filter((one) => one.length >= TELLING_CHARS_MIN);
    const bare = maskText(text, { secrets: [], personal: [] });
    if (personal.length > 0 && maskText(bare, { secrets: [], personal }) !== bare)
      this.broke("secrets", operation, during, `a personal text stands in ${where}`);
  }
}

/** Anything shorter stands in other texts by chance. */
const TELLING_CHARS_MIN = 4;
