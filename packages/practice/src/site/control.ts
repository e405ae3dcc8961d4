import { currentTotp } from "../auth/credentials.ts";
import type { LoggedRequest } from "./request-log.ts";
import { answerPhone, type Mail, mailedCode, type PhoneQuestion, phoneQuestion, shownNumber } from "./second-factor.ts";
import type { CommonSetting, DelayAt, FaultAnswer, Switches } from "./switches.ts";
import type { SiteCounters, SiteWorld } from "./world.ts";

/** Which commits a fault strikes (all when absent) and how often (until reset when absent). */
export interface FaultScope<K extends string = string> {
  readonly on?: K;
  readonly times?: number;
}

/** What a test or demo can do to every practice site from outside its pages. */
export interface SiteControl<S extends { readonly switch: string }, C extends SiteCounters, K extends string = string> {
  /** Commit, then destroy the socket. */
  readonly commitThenDrop: (scope?: FaultScope<K>) => void;
  /** Commit, then answer with a status (400 to 599, plain HTML), half the confirmation, or the sign-in page. */
  readonly commitThen: (answer: FaultAnswer, scope?: FaultScope<K>) => void;
  readonly dropBeforeCommit: (scope?: FaultScope<K>) => void;
  /** As `commitThen`, but nothing is committed. */
  readonly withoutCommitThen: (answer: FaultAnswer, scope?: FaultScope<K>) => void;
  /** The site's own recognisable refusal. */
  readonly refuse: (scope?: FaultScope<K>) => void;
  /** Waits; `at` is "after_commit" when absent. */
  readonly delay: (ms: number, scope?: FaultScope<K> & { readonly at?: DelayAt }) => void;
  /** Pages are cut in the middle. */
  readonly halfPage: (scope?: { readonly times?: number }) => void;
  /** The pages that tell what was done, and their API twins, answer 503 while down. */
  readonly readBack: (state: "up" | "down", scope?: { readonly times?: number }) => void;
  /** Ends every session and every API token. */
  readonly endSession: () => void;
  /** Watches every later request for this text; hits are counted. */
  readonly plantCanary: (text: string) => void;
  readonly set: (setting: S) => void;
  readonly clear: (name: S["switch"]) => void;
  readonly switches: () => readonly S[];
  readonly counters: () => C;
  readonly requests: () => readonly LoggedRequest[];
  /** What the practice person's authenticator shows now. */
  readonly currentCode: () => string;
  /** The practice person's mails, oldest first. */
  readonly mailbox: () => readonly Mail[];
  /** The code of the newest mail that still opens something. */
  readonly mailedCode: () => string | undefined;
  /** What the practice person's phone asks now. */
  readonly phone: () => PhoneQuestion | undefined;
  /** The number that the waiting page shows: for a test that has a picture of it and no text. */
  readonly shownNumber: () => string | undefined;
  /** Taps a number on the phone, the one that the page shows or a wrong one, or `not_me`. False when nothing is asked. */
  readonly answerPhone: (answer: string) => boolean;
  /** Everything back to opening time. */
  readonly reset: () => void;
}

export interface Controlled<S extends { readonly switch: string }, C extends SiteCounters> {
  readonly title: string;
  readonly world: SiteWorld;
  readonly switches: Switches<S>;
  /** Why a setting is no setting; undefined when it is one. */
  readonly problemWith: (setting: S) => string | undefined;
  readonly counters: () => C;
  readonly endSession: () => void;
  readonly reset: () => void;
}

export function siteControl<K extends string, S extends { readonly switch: string }, C extends SiteCounters>(
  site: Controlled<S | CommonSetting<K>, C>,
): SiteControl<S | CommonSetting<K>, C, K> {
  const { world, switches } = site;
  const set = (setting: S | CommonSetting<K>): void => {
    const problem = site.problemWith(setting);
    if (problem !== undefined) throw new RangeError(`${site.title} switch ${setting.switch}: ${problem}`);
    switches.set(setting);
  };
  return {
    commitThenDrop: (scope = {}) => set({ switch: "commitThenDrop", ...scope }),
    commitThen: (answer, scope = {}) => set({ switch: "commitThen", answer, ...scope }),
    dropBeforeCommit: (scope = {}) => set({ switch: "dropBeforeCommit", ...scope }),
    withoutCommitThen: (answer, scope = {}) => set({ switch: "withoutCommitThen", answer, ...scope }),
    refuse: (scope = {}) => set({ switch: "refuse", ...scope }),
    delay: (ms, { at = "after_commit", ...scope } = {}) => set({ switch: "delay", ms, at, ...scope }),
    halfPage: (scope = {}) => set({ switch: "halfPage", ...scope }),
    readBack: (state, scope = {}) =>
      state === "down" ? set({ switch: "readBack", ...scope }) : switches.clear("readBack"),
    endSession: site.endSession,
    plantCanary: (text) => {
      if (text === "") throw new RangeError(`${site.title}: an empty canary is in everything`);
      world.canaries.add(text);
    },
    set,
    clear: (name) => switches.clear(name),
    switches: () => switches.list(),
    counters: site.counters,
    requests: () => world.log.list(),
    currentCode: () => currentTotp(world.user, world.now()),
    mailbox: () => world.state.factors.mailbox,
    mailedCode: () => mailedCode(world),
    phone: () => phoneQuestion(world),
    shownNumber: () => shownNumber(world),
    answerPhone: (answer) => answerPhone(world, answer),
    reset: site.reset,
  };
}
