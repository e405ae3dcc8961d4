import {
  type AccountDetail,
  type AccountIdentity,
  type Answer,
  type AnySiteEntry,
  type CommitAdapter,
  type Ctx,
  type Destination,
  type OpenSession,
  type ReadAdapter,
  type Route,
  type Session,
  SiteTrouble,
} from "@countersign/plugin";
import { buildCatalogue, OPERATIONS, type Operation } from "@countersign/profile";
import { createHttpRoute, type HttpSession } from "@countersign/route-http";
import { AssertionFailed, assert, instant, type Secret, secret } from "@countersign/wire";
import type { AdapterCheck, CheckSite, FaultName } from "../contract.ts";
import { detailRef } from "../contract.ts";
import { FORMS_MAX, SETTLE_MS, STEP_MS } from "../limits.ts";
import { isCommit, RecordingEgress } from "./egress.ts";
import { Findings } from "./findings.ts";
import { sendHeld } from "./send.ts";

/** What became of one step of an adapter. */
export type Outcome<T> =
  | { readonly kind: "gave"; readonly value: T }
  /** It said that the site does not answer as it should. */
  | { readonly kind: "trouble" }
  /** It threw something else, did not end, or could not begin; the finding is written down already. */
  | { readonly kind: "broke" };

export interface Step {
  readonly operation: string;
  readonly name: string;
  /** Given up as soon as it waits for the site. */
  readonly giveUp?: true;
}

export type AnyCommit = CommitAdapter<never, unknown, unknown, Session>;
export type AnyRead = ReadAdapter<never, unknown, Session>;

/**
 * Plays the gateway around one entry of a site: sessions by the route's own rules, the same context, one way out. Every
 * step is called through {@link Stage.step}, which looks afterwards what left, what the site did and what was said.
 */
export class Stage {
  readonly check: AdapterCheck;
  readonly site: CheckSite;
  readonly route: Route;
  readonly entry: AnySiteEntry;
  readonly destination: Destination;
  readonly egress: RecordingEgress;
  readonly catalogue: ReadonlyMap<string, Operation>;
  readonly findings = new Findings();
  readonly ctx: Ctx;
  /** Acts that the checker itself has sent since the last reset, by operation. */
  readonly sent = new Map<string, number>();
  steps = 0;
  readonly #send: (request: Request) => Promise<Response>;
  /** Requests that have gone to the site since the last reset. */
  #passed = 0;
  #signal = new AbortController();
  #material: Secret<string> | undefined;
  #identity: AccountIdentity | undefined;
  #secrets: Secret<string>[] = [];
  #personal: string[] = [];

  constructor(check: AdapterCheck, site: CheckSite, entry: AnySiteEntry) {
    this.check = check;
    this.site = site;
    this.entry = entry;
    this.route = check.makeRoute?.() ?? createHttpRoute();
    this.catalogue = buildCatalogue([...OPERATIONS, ...(check.catalogue ?? [])]);
    this.destination = {
      id: check.site.id,
      title: check.site.title,
      origin: site.origin,
      alsoOrigins: [],
      entry,
      commits: entry.operations.flatMap((each) => (each.effect === "commit" ? each.commits : [])),
    };
    const reach = site.handle?.bind(site) ?? ((request: Request) => realFetch(request, { redirect: "manual" }));
    this.#send = (request) => {
      this.#passed += 1;
      return reach(request);
    };
    this.egress = new RecordingEgress(this.#send);
    this.ctx = this.#makeCtx();
  }

  now(): number {
    return this.site.now?.() ?? Date.now();
  }

  /** A site as when it was opened, clear weather, and the person signed in. */
  async fresh(): Promise<void> {
    this.egress.weather = { kind: "clear" };
    this.#beginSignal();
    this.sent.clear();
    await this.site.reset();
    this.#passed = 0;
    await this.signIn();
  }

  #beginSignal(): void {
    this.#signal = new AbortController();
    this.egress.begin(this.#signal.signal);
  }

  async signIn(): Promise<void> {
    const verified = (await this.site.signIn?.(this.route, this.ctx, this.destination)) ?? (await this.#byForm());
    this.#identity = verified.identity;
    this.#material = verified.material;
  }

  async #byForm() {
    const begun = await this.route.beginSignIn(this.ctx, this.destination, {
      take: async () => ({ kind: "go", left: FORMS_MAX }),
    });
    assert(begun.ok && begun.value.mode === "form", "the check's site is signed in to by a form, or has a signIn");
    let fields = begun.value.fields;
    for (const typed of this.site.person?.() ?? []) {
      for (const { name, kind } of fields)
        if (kind === "password" || kind === "code") this.#secrets.push(secret(typed[name] ?? ""));
      const answer = await begun.value.submit(new Map(Object.entries(typed).map(([k, v]) => [k, secret(v)])));
      if (answer.kind === "done") return answer.verified;
      assert(answer.kind === "more", "the check's site takes what its person types");
      fields = answer.fields;
    }
    throw new Error("the check's person has typed everything and is not signed in");
  }

  /** Turns a fault on by the site's own switch; false where it has none. */
  async turnOn(fault: FaultName, operation: string): Promise<boolean> {
    const own = await this.site.fault(fault, operation);
    if (own) this.findings.faultOn(fault);
    return own;
  }

  /** Whether every answer passes through the checker's own way out. */
  get atWayOut(): boolean {
    return this.check.route === "http";
  }

  /** Runs one step in a session of its own, as the gateway does. */
  async step<T>(step: Step, work: (session: Session, ctx: Ctx) => Promise<T>): Promise<Outcome<T>> {
    this.steps += 1;
    const { operation, name } = step;
    this.#beginSignal();
    const opened = await this.route.open(this.ctx, this.destination, this.#material ?? secret(""));
    if (!opened.ok) {
      this.findings.broke("contract", operation, name, "its route does not open a session with what signing in gave");
      return { kind: "broke" };
    }
    for (const one of await opened.value.secrets()) this.#secrets.push(one);
    try {
      const outcome = await this.#run(step, opened.value, work);
      await this.#lookAfter(step);
      // As the gateway does: what a site has changed of its session is what the next one opens with.
      this.#material = (await opened.value.material()) ?? this.#material;
      return outcome;
    } finally {
      await opened.value.close();
    }
  }

  async #run<T>(step: Step, open: OpenSession, work: (session: Session, ctx: Ctx) => Promise<T>): Promise<Outcome<T>> {
    const { operation, name } = step;
    const controller = this.#signal;
    const gaveUp = Promise.withResolvers<"endless" | "late">();
    let timer = setTimeout(() => gaveUp.resolve("late"), STEP_MS);
    this.egress.onEndless = () => gaveUp.resolve("endless");
    this.egress.onWaiting = () => {
      if (step.giveUp !== true) return;
      controller.abort();
      clearTimeout(timer);
      timer = setTimeout(() => gaveUp.resolve("late"), SETTLE_MS);
    };
    try {
      const answered = work(this.#watched(step, open.session), this.ctx).then(
        (value): Outcome<T> => ({ kind: "gave", value }),
      );
      const first = await Promise.race([answered, gaveUp.promise]);
      if (typeof first === "object") return first;
      this.findings.broke("abort", operation, name, stuckWords(first, step.giveUp === true));
      return { kind: "broke" };
    } catch (error) {
      if (error instanceof SiteTrouble) {
        this.said(operation, name, "the words of its SiteTrouble", error.message);
        return { kind: "trouble" };
      }
      if (step.giveUp === true && error instanceof DOMException && error.name === "AbortError")
        return { kind: "trouble" };
      if (this.#isRefusedCommit(step, error)) return { kind: "broke" };
      if (error instanceof AssertionFailed && /only a declared commit/.test(error.message)) {
        this.findings.broke("contract", operation, name, "it holds a request that it does not declare in commits");
        return { kind: "broke" };
      }
      const what = error instanceof Error ? error.name : typeof error;
      this.findings.broke("contract", operation, name, `it throws ${what}; only SiteTrouble is an answer`);
      return { kind: "broke" };
    } finally {
      clearTimeout(timer);
    }
  }

  /** The route refuses what commits; that it was tried is told also where the adapter swallows the refusal. */
  #watched(step: Step, session: Session): Session {
    if (!isHttp(session)) return session;
    const watched: HttpSession = {
      ...session,
      fetch: (...given) =>
        session.fetch(...given).catch((error: unknown) => {
          this.#isRefusedCommit(step, error);
          throw error;
        }),
    };
    return watched;
  }

  #isRefusedCommit({ operation, name }: Step, error: unknown): boolean {
    // The words of the route's own refusals; they hold no value.
    const refused = error instanceof AssertionFailed && /never fetched|commits nothing/.test(error.message);
    const seen = "it tries to send a committing request itself; the route refuses";
    if (refused) this.findings.broke("boundary", operation, name, seen);
    return refused;
  }

  /** What left, and what the site did, while the step ran. */
  async #lookAfter({ operation, name }: Step): Promise<void> {
    const seen = (await this.site.seen?.()) ?? 0;
    if (this.atWayOut && seen > this.#passed) {
      const what = "the site was asked something that did not go out through the gateway";
      this.findings.broke("one_way_out", operation, name, what);
      this.#passed = seen;
    }
    const sent = this.sent.get(operation) ?? 0;
    const done = (await this.site.effects(operation)).length;
    const committed = this.egress.left.some((request) => isCommit(request, this.destination.commits));
    if (!committed && done <= sent) return;
    if (sent > 0) this.findings.broke("one_act", operation, name, "the act is sent again; the site did it twice");
    else this.findings.broke("boundary", operation, name, "something that commits has left before the gateway sent it");
    this.sent.set(operation, Math.max(done, sent));
  }

  /** The gateway's own sending: once, over a connection of its own; `lost` when no whole answer came back. */
  async send(operation: string, held: Parameters<typeof sendHeld>[0]): Promise<Answer | "lost"> {
    this.sent.set(operation, (this.sent.get(operation) ?? 0) + 1);
    return sendHeld(held, this.#send);
  }

  /** Looks for secrets and personal texts in what an adapter said. */
  said(operation: string, name: string, where: string, text: string, kind: "public" | "sealed" = "public"): void {
    this.findings.said(operation, name, where, text, {
      secrets: this.#secrets,
      personal: kind === "public" ? [...this.#personal, ...(this.site.personal?.() ?? [])] : [],
    });
  }

  /** Texts of the last screen that are personal. */
  addPersonal(texts: readonly string[]): void {
    this.#personal.push(...texts);
  }

  details(): readonly AccountDetail[] {
    const rows = [...(this.#identity?.details ?? []), ...(this.check.entered ?? [])];
    return rows.map((row) => ({ ...row, ref: detailRef(row.kind, row.siteKey ?? "") }));
  }

  #makeCtx(): Ctx {
    const log = (event: string, fields?: object) =>
      this.said("", "a log line", "a log line", JSON.stringify({ event, ...fields }));
    const stage = this;
    const ctx: Partial<Ctx> = {
      now: () => instant(this.now()),
      log: { debug: log, info: log, warn: log, error: log },
      get signal() {
        return stage.#signal.signal;
      },
      tenant: "t_check" as Ctx["tenant"],
      person: "p_check" as NonNullable<Ctx["person"]>,
      task: "task_check" as NonNullable<Ctx["task"]>,
      progress: (step, label) => this.said("", "a progress note", "a progress note", `${step} ${label}`),
      access: async () => ({ kind: "no_service" }),
      withIdentity: async (request) => request,
      detail: async (ref) => this.details().find((detail) => detail.ref === ref),
      fetch: this.egress.fetch,
    };
    // Only what adapters and routes of a site may use; anything else fails loudly.
    return ctx as Ctx;
  }
}

function isHttp(session: Session): session is HttpSession {
  return session.kind === "http";
}

/** Kept before anything can take its place: an adapter that calls the global one goes around the gateway. */
const realFetch = globalThis.fetch;

function stuckWords(how: "endless" | "late", givenUp: boolean): string {
  if (how === "endless")
    return givenUp
      ? "it goes on asking the site after it was given up"
      : "it asks the site again and again, without end";
  return givenUp ? "it does not end after it was given up" : "it does not end";
}
