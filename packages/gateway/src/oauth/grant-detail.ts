import { identifier, timestamp } from "@countersign/profile";
import { DAY_MS, err, formatInstant, type Instant, type JsonObject, ok, type Result } from "@countersign/wire";
import { z } from "zod";
import { type ConsentRow, type ConsentScope, readScope, SCOPE_ITEMS_MAX } from "../consent/consents.ts";
import { scopeProblem } from "../consent/decide.ts";
import { consentLimits, limitsJson } from "../consent/limits.ts";
import type { Core, KnownDestination } from "../core.ts";
import { GRANT_DAYS_MAX, NAME_CHARS_MAX, PURPOSE_CHARS_MAX } from "../limits.ts";
import { GRANT_DETAIL } from "./names.ts";

// Our type of authorization details (RFC 9396): the same members as a grant that an agent asks for at the API, so that
// whoever knows one knows the other. What comes back is what the person gave, with `consent_ref`.

export const grantDetail = z
  .strictObject({
    type: z.literal(GRANT_DETAIL),
    destination: z.string().min(1).max(NAME_CHARS_MAX).optional(),
    account_ref: identifier.optional(),
    operations: z.array(identifier).min(1).max(SCOPE_ITEMS_MAX),
    routes: z.array(identifier).min(1).max(SCOPE_ITEMS_MAX).optional(),
    limits: consentLimits.optional(),
    purpose: z.string().min(1).max(PURPOSE_CHARS_MAX).optional(),
    expires_at: timestamp.optional(),
  })
  .refine(
    (detail) => (detail.destination === undefined) !== (detail.account_ref === undefined),
    "a destination or an account, not both",
  );
export type GrantDetail = z.infer<typeof grantDetail>;

/** Why nobody can be asked for this, in words that hold nothing of what was sent; undefined when somebody can. */
export function detailProblem(core: Core, detail: unknown): string | undefined {
  const parsed = grantDetail.safeParse(detail);
  if (!parsed.success) return "members missing, unknown or of another form";
  if (parsed.data.destination === undefined) return undefined;
  const destination = core.destinations.get(parsed.data.destination);
  if (destination === undefined) return "no such destination";
  const scope = askedScope(core, destination, parsed.data);
  return scope.ok ? undefined : scope.reason;
}

/**
 * What is asked for at a destination. A client that names nothing asks for everything there is, for as long as there is:
 * the person picks, and what they do not pick is not given.
 */
export function askedScope(
  core: Core,
  destination: KnownDestination,
  detail: GrantDetail | undefined,
): Result<ConsentScope, string> {
  const routes = [...destination.byRoute.keys()];
  const latest = formatInstant((core.now() + GRANT_DAYS_MAX * DAY_MS - 60_000) as Instant);
  const scope: ConsentScope = {
    operations: detail?.operations ?? offeredAt(destination),
    routes: detail?.routes ?? routes,
    limits: detail?.limits ?? {},
    expires_at: detail?.expires_at ?? latest,
  };
  const problem = scopeProblem(core, destination, scope);
  if (problem === undefined) return ok(scope);
  return err(problem.problems?.[0]?.rule ?? "cannot be granted");
}

function offeredAt(destination: KnownDestination): string[] {
  const routes = [...destination.byRoute.values()];
  return [...new Set(routes.flatMap((route) => route.entry.operations.map((o) => o.operation)))];
}

/** The details as given: what the token answer says. */
export function givenDetail(row: ConsentRow): JsonObject {
  const scope = readScope(row.granted ?? row.asked);
  return {
    type: GRANT_DETAIL,
    consent_ref: row.consent_ref,
    destination: row.destination,
    ...(row.account_ref === null ? {} : { account_ref: row.account_ref }),
    operations: scope.operations,
    routes: scope.routes,
    limits: limitsJson(scope.limits),
    expires_at: scope.expires_at,
  };
}
