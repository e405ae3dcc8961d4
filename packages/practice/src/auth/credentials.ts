import { createHash, timingSafeEqual } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { SIGN_IN_FAILURE_WINDOW_MS, SIGN_IN_FAILURES_MAX } from "../limits.ts";
import type { PracticeUser } from "../site/person.ts";

/** Equal strings, compared without telling by time where they differ. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function totpOf(user: PracticeUser): TOTP {
  return new TOTP({ algorithm: "SHA1", digits: 6, period: 30, secret: Secret.fromBase32(user.totpSecret) });
}

/** The six digits an authenticator app would show now (RFC 6238). */
export function currentTotp(user: PracticeUser, nowMs: number): string {
  return totpOf(user).generate({ timestamp: nowMs });
}

/**
 * Takes the present code and its two neighbours, for clocks that differ. A code is taken again within its window, as at
 * many real shops: RFC 6238 §5.2 asks otherwise, but then a second sign-in would have to wait half a minute.
 */
export function isTotp(user: PracticeUser, code: string, nowMs: number): boolean {
  if (!/^\d{6}$/.test(code)) return false;
  return totpOf(user).validate({ token: code, timestamp: nowMs, window: 1 }) !== null;
}

/** Counts failed sign-ins of the one account, passwords and codes together. */
export interface FailureLimit {
  /** Seconds until the next attempt is heard; undefined when attempts are open. */
  readonly retryAfterS: (nowMs: number) => number | undefined;
  readonly fail: (nowMs: number) => void;
  readonly clear: () => void;
}

export function createFailureLimit(): FailureLimit {
  let failedAtMs: readonly number[] = [];
  const recent = (nowMs: number) => failedAtMs.filter((atMs) => atMs > nowMs - SIGN_IN_FAILURE_WINDOW_MS);
  return {
    retryAfterS: (nowMs) => {
      const counted = recent(nowMs);
      const oldest = counted[counted.length - SIGN_IN_FAILURES_MAX];
      return oldest === undefined ? undefined : Math.ceil((oldest + SIGN_IN_FAILURE_WINDOW_MS - nowMs) / 1000);
    },
    fail: (nowMs) => {
      failedAtMs = [...recent(nowMs), nowMs];
    },
    clear: () => {
      failedAtMs = [];
    },
  };
}
