import { isTotp, sameText } from "../auth/credentials.ts";
import { EMAIL_CODE_MS, EMAIL_CODE_TRIES_MAX, MAILBOX_MAX, PUSH_MS, SECOND_FACTOR_MS } from "../limits.ts";
import { type Random, randomToken } from "./random.ts";
import type { SiteWorld } from "./world.ts";

// The second factor of a sign-in, one for the pages and the API of a site. A right password opens a *challenge*: the
// code of an authenticator, the code of a mail, or a question on the person's phone. A challenge is proved once. As at
// real sites only the newest mail's code works, and the phone asks one question at a time: a new one takes the place of
// the last. All of it is kept in the site's state, so that a test and the switchboard can look into the person's mailbox
// and answer on their phone.

/** How a site makes sure beside the password. */
export type FactorKind = "totp" | "email_code" | "push";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly code: string;
  readonly sentAtMs: number;
}

interface EmailChallenge {
  readonly id: string;
  readonly code: string;
  readonly expiresAtMs: number;
  triesLeft: number;
}

interface PushChallenge {
  readonly id: string;
  /** Shown by the page that waits; the person taps the same one on their phone. */
  readonly number: string;
  /** What the phone offers: the right one among others. */
  readonly choices: readonly string[];
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  answer: "none" | "confirmed" | "wrong_number" | "not_me";
}

/** What a site remembers of second factors. */
export interface FactorState {
  email: EmailChallenge | undefined;
  push: PushChallenge | undefined;
  /** Oldest first. */
  mailbox: readonly Mail[];
}

export function noFactors(): FactorState {
  return { email: undefined, push: undefined, mailbox: [] };
}

/** A challenge as whoever signs in sees it. Never its code; of a phone's question the number to compare. */
export type Challenge =
  | { readonly kind: "totp"; readonly id: string; readonly expiresAtMs: number }
  | { readonly kind: "email_code"; readonly id: string; readonly expiresAtMs: number; readonly sentTo: string }
  | { readonly kind: "push"; readonly id: string; readonly expiresAtMs: number; readonly number: string };

/**
 * `wrong`: another try is open. `waiting`: the phone has not been answered. Each of the others ends the challenge:
 * `refused` on the phone, `used_up` by wrong codes, `lapsed` by time, by use, or by a newer one.
 */
export type Proof = "proved" | "wrong" | "waiting" | "refused" | "used_up" | "lapsed";

const CHOICES = 3;
const NUMBER_MIN = 10;
const NUMBERS = 90;

/** A whole number below `bound`, without the bias of a remainder. */
function below(random: Random, bound: number): number {
  const limit = Math.floor(2 ** 32 / bound) * bound;
  for (;;) {
    const value = Buffer.from(random(4)).readUInt32BE(0);
    if (value < limit) return value % bound;
  }
}

function masked(email: string): string {
  return email.replace(/^(.)[^@]*/, "$1***");
}

/** The right password was given: sends the mail, or asks on the phone. */
export function openChallenge(world: SiteWorld, kind: FactorKind, site: string): Challenge {
  const id = randomToken(world.random);
  const now = world.now();
  const { factors } = world.state;
  switch (kind) {
    case "totp":
      return { kind, id, expiresAtMs: now + SECOND_FACTOR_MS };
    case "email_code": {
      const code = String(below(world.random, 1_000_000)).padStart(6, "0");
      const expiresAtMs = now + EMAIL_CODE_MS;
      factors.email = { id, code, expiresAtMs, triesLeft: EMAIL_CODE_TRIES_MAX };
      const mail = { to: world.user.email, subject: `Your code for ${site}`, code, sentAtMs: now };
      factors.mailbox = [...factors.mailbox, mail].slice(-MAILBOX_MAX);
      return { kind, id, expiresAtMs, sentTo: masked(world.user.email) };
    }
    case "push": {
      const choices = new Set<string>();
      while (choices.size < CHOICES) choices.add(String(NUMBER_MIN + below(world.random, NUMBERS)));
      const shown = [...choices];
      const number = shown[below(world.random, CHOICES)] ?? "";
      const expiresAtMs = now + PUSH_MS;
      factors.push = { id, number, choices: shown, askedAtMs: now, expiresAtMs, answer: "none" };
      return { kind, id, expiresAtMs, number };
    }
  }
}

/** @param code as typed; a question on the phone has none. */
export function prove(world: SiteWorld, challenge: Challenge, code: string): Proof {
  if (world.now() >= challenge.expiresAtMs) return "lapsed";
  switch (challenge.kind) {
    case "totp":
      return isTotp(world.user, code, world.now()) ? "proved" : "wrong";
    case "email_code":
      return proveEmail(world, challenge.id, code);
    case "push":
      return provePush(world, challenge.id);
  }
}

function proveEmail(world: SiteWorld, id: string, code: string): Proof {
  const { factors } = world.state;
  const sent = factors.email;
  if (sent?.id !== id) return "lapsed";
  if (sameText(sent.code, code)) {
    factors.email = undefined;
    return "proved";
  }
  sent.triesLeft -= 1;
  if (sent.triesLeft > 0) return "wrong";
  factors.email = undefined;
  return "used_up";
}

function provePush(world: SiteWorld, id: string): Proof {
  const { factors } = world.state;
  const asked = factors.push;
  if (asked?.id !== id) return "lapsed";
  if (asked.answer === "none") return "waiting";
  factors.push = undefined;
  return asked.answer === "confirmed" ? "proved" : "refused";
}

/** How the question stands, without using its answer up: what a page that waits asks. */
export function pushStands(world: SiteWorld, challenge: Challenge): "waiting" | "answered" | "lapsed" {
  const asked = world.state.factors.push;
  if (asked?.id !== challenge.id || world.now() >= asked.expiresAtMs) return "lapsed";
  return asked.answer === "none" ? "waiting" : "answered";
}

/** What the person's phone shows now. */
export interface PhoneQuestion {
  readonly choices: readonly string[];
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
}

/** Undefined when nothing is asked, or nothing any more. */
export function phoneQuestion(world: SiteWorld): PhoneQuestion | undefined {
  const asked = world.state.factors.push;
  if (asked === undefined || asked.answer !== "none" || world.now() >= asked.expiresAtMs) return undefined;
  const { choices, askedAtMs, expiresAtMs } = asked;
  return { choices, askedAtMs, expiresAtMs };
}

/** The number that the waiting page shows: for whoever cannot look at it. */
export function shownNumber(world: SiteWorld): string | undefined {
  return phoneQuestion(world) === undefined ? undefined : world.state.factors.push?.number;
}

/** The person answers on their phone: the number that the page shows, or `not_me`. False when nothing is asked. */
export function answerPhone(world: SiteWorld, answer: string): boolean {
  const asked = world.state.factors.push;
  if (asked === undefined || phoneQuestion(world) === undefined) return false;
  if (answer === "not_me") asked.answer = "not_me";
  else asked.answer = sameText(answer, asked.number) ? "confirmed" : "wrong_number";
  return true;
}

/** The code of the newest mail that still opens something. */
export function mailedCode(world: SiteWorld): string | undefined {
  const sent = world.state.factors.email;
  return sent !== undefined && world.now() < sent.expiresAtMs ? sent.code : undefined;
}
