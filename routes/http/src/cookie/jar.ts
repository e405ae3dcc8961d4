import type { Ctx, Destination, KeptMaterial } from "@countersign/plugin";
import { err, ok, type Result, type Secret } from "@countersign/wire";
import { COOKIE_PROLONGED_MS } from "../limits.ts";
import type { AnswerHead, SessionTokens, TokenProblem } from "../tokens.ts";
import { fromCookieMaterial, toCookieMaterial } from "./material.ts";
import { readSetCookie, type SessionCookie, type Taken } from "./set-cookie.ts";

export interface JarOptions {
  readonly ctx: Pick<Ctx, "now" | "log">;
  readonly destination: Pick<Destination, "id" | "origin">;
  /** The one cookie that is kept; every other is left where it lies. */
  readonly name: string;
  /** A redirect there says that nobody is signed in. */
  readonly signInPath: string;
}

/** The session's cookie in one answer; undefined when the answer does not set it. A refused one is as if it had not come. */
export function cookieIn(options: JarOptions, head: AnswerHead): Taken | undefined {
  const { ctx, destination, name } = options;
  let taken: Taken | undefined;
  for (const line of head.setCookies) {
    const read = readSetCookie(line, name, { url: head.url, now: ctx.now() });
    if (read === undefined) continue;
    if (read.ok) taken = read.value;
    else ctx.log.warn("http.cookie_refused", { destination: destination.id, why: read.reason });
  }
  return taken;
}

/** Whether an answer is the site's way to the sign-in page. */
export function leadsToSignIn({ signInPath }: JarOptions, { status, url, location }: AnswerHead): boolean {
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, url)) return false;
  const to = new URL(location, url);
  return to.origin === url.origin && to.pathname === signInPath;
}

export interface CookieTokens extends SessionTokens {
  /** What is to be kept for the next session; undefined while nothing changed, or when it is kept already. */
  changed(): Secret<string> | undefined;
}

/**
 * A session by its cookie. A cookie that the site changes is kept before it is used (lessons U48); one that the site
 * does not take any more is compared with what is kept first, since another process may have been given a newer one.
 */
export function cookieTokens(first: SessionCookie, options: JarOptions, kept: KeptMaterial | undefined): CookieTokens {
  const { ctx, name } = options;
  let now: SessionCookie | undefined = first;
  let unkept: Secret<string> | undefined;
  const seen = new Map<string, Secret<string>>([[first.value.reveal(), first.value]]);
  const use = (cookie: SessionCookie): Secret<string> => {
    now = cookie;
    seen.set(cookie.value.reveal(), cookie.value);
    return cookie.value;
  };
  const ended = (): boolean => now === undefined || (now.expiresAtMs !== undefined && now.expiresAtMs <= ctx.now());
  return {
    async lasting() {
      return now === undefined || ended() ? err("sign_in") : ok(now.value);
    },
    async refused(value): Promise<Result<Secret<string>, TokenProblem>> {
      // Changed meanwhile: the answer was to the one before.
      if (now !== undefined && now.value.reveal() !== value.reveal() && !ended()) return ok(now.value);
      const material = await kept?.read();
      const read = material === undefined ? undefined : fromCookieMaterial(material, name, ctx.now());
      return read?.ok && !seen.has(read.value.value.reveal()) ? ok(use(read.value)) : err("sign_in");
    },
    secrets: () => [...seen.values()],
    async answered(head) {
      // What is set beside such an answer is a stranger's new session: it must not take the place of a kept one.
      if (head.status === 401 || leadsToSignIn(options, head)) return "signed_out";
      const taken = cookieIn(options, head);
      if (taken === undefined) return "answer";
      if (taken.kind === "ended") {
        now = undefined;
        return "answer";
      }
      const { cookie } = taken;
      if (now === undefined || differs(now, cookie)) {
        const material = toCookieMaterial(cookie);
        // Kept before it is used: the one before may be worth nothing any more.
        if (kept === undefined) unkept = material;
        else if (!(await kept.write(material))) {
          now = undefined;
          return "signed_out";
        }
      }
      use(cookie);
      return "answer";
    },
    changed: () => unkept,
  };
}

/** Whether it is worth keeping: a site that prolongs its cookie with every answer changes it by moments. */
function differs(a: SessionCookie, b: SessionCookie): boolean {
  if (a.value.reveal() !== b.value.reveal()) return true;
  if (a.expiresAtMs === undefined || b.expiresAtMs === undefined) return a.expiresAtMs !== b.expiresAtMs;
  return Math.abs(a.expiresAtMs - b.expiresAtMs) > COOKIE_PROLONGED_MS;
}
