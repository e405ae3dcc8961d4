import { err, formatInstant, type Instant, ok, type Result } from "@countersign/wire";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Refusal } from "../../admission/refusal.ts";
import { findAccount } from "../../connection/accounts.ts";
import type { Core, KnownDestination, Owner } from "../../core.ts";
import type { AskedAuthorization, Before } from "../../oauth/asked.ts";
import { authorizationDecision, decideAuthorization } from "../../oauth/authorize.ts";
import { AUTHORIZE_COOKIE } from "../../oauth/browser.ts";
import { returnsTo } from "../../oauth/client-document.ts";
import { clientView } from "../../oauth/client-view.ts";
import { codeTries } from "../../oauth/device.ts";
import { askedScope, type GrantDetail, grantDetail } from "../../oauth/grant-detail.ts";
import { acceptedAgentOf } from "../../people/agents.ts";
import type { PersonSession } from "../../people/sessions.ts";
import type { Tx } from "../../store/store.ts";
import type { AuthorizationDestination, AuthorizationView } from "../../trusted/contract.ts";
import { readBody } from "../json-body.ts";
import type { ServerParts } from "../server.ts";
import { offered } from "./consents.ts";
import { cookieValue } from "./guard.ts";
import { type AddRoute, param } from "./trusted.ts";

const typedCode = z.strictObject({ user_code: z.string().min(1).max(40) });

/**
 * The page where a person answers a client that wants to act for them. Looking changes nothing (U38); the answer is a
 * guarded POST of the person's own session (U35), from the browser that began the request and no other (U39).
 */
export function registerAuthorizations(add: AddRoute, { core, oauth }: ServerParts): void {
  const { knownClients } = oauth;
  add("GET", "/authorizations/:ref", async (person, request) => {
    const asked = await oauth.asked();
    return core.store.transaction(async (tx): Promise<Result<AuthorizationView, Refusal>> => {
      const found = await asked.find(tx, param(request, "ref"), before(person, request));
      return found === undefined ? err({ reason: "not_found" }) : view(core, tx, knownClients, person, found);
    });
  });
  add("POST", "/authorizations/:ref/decision", async (person, request) => {
    const body = readBody(request, authorizationDecision);
    if (!body.ok) return body;
    const at = { ref: param(request, "ref"), ...before(person, request) };
    const parts = { core, knownClients, asked: await oauth.asked() };
    const decided = await decideAuthorization(parts, person, at, body.value);
    if (!decided.ok) return decided;
    const { onward } = decided.value;
    return ok(onward === undefined ? {} : { onward });
  });
  const tries = codeTries(core.now);
  add("POST", "/device", async (person, request) => {
    const body = readBody(request, typedCode);
    if (!body.ok) return body;
    if (!tries.may(person.personId)) return err({ reason: "rate_limited" });
    const asked = await oauth.asked();
    const ref = core.newId("device");
    const found = await core.store.transaction((tx) => asked.typed(tx, body.value.user_code, ref, person.sessionHash));
    if (found === "found") return ok({ ref });
    tries.noteWrong(person.personId);
    return err({ reason: "not_found" });
  });
}

/** Of a browser that began nothing it is no browser's. */
function before(person: PersonSession, request: FastifyRequest): Before {
  return { browser: cookieValue(request, AUTHORIZE_COOKIE) ?? "", session: person.sessionHash };
}

async function view(
  core: Core,
  tx: Tx,
  knownClients: ReadonlyMap<string, string>,
  person: Owner,
  asked: AskedAuthorization,
): Promise<Result<AuthorizationView, Refusal>> {
  const client = await clientView(tx, knownClients, asked.clientId);
  if (client === undefined) return err({ reason: "gone" });
  const detail = asked.detail === undefined ? undefined : grantDetail.parse(asked.detail);
  return ok({
    ref: asked.ref,
    client: {
      client_id: client.clientId,
      kind: client.kind,
      ...(client.host === undefined ? {} : { host: client.host }),
      name: client.name,
    },
    returns_to: goesTo(asked),
    is_agent: (await acceptedAgentOf(tx, person, asked.clientId)) !== undefined,
    expires_at: formatInstant(asked.expiresAt as Instant),
    ...(asked.answer === "none"
      ? { state: "asked" }
      : { state: asked.answer, ...(asked.onward === undefined ? {} : { onward: asked.onward }) }),
    by_name: detail !== undefined,
    ...(detail?.purpose === undefined ? {} : { purpose: detail.purpose }),
    destinations: await destinationsOf(core, tx, person, detail),
  });
}

function goesTo({ redirectUri, device }: AskedAuthorization): AuthorizationView["returns_to"] {
  if (redirectUri !== undefined) return returnsTo(redirectUri);
  return { kind: "device", address: device?.address ?? "", agent: device?.agent ?? "" };
}

/** Where a grant can be given: what was named, or everything. A named account that is not this person's is nowhere. */
async function destinationsOf(
  core: Core,
  tx: Tx,
  person: Owner,
  detail: GrantDetail | undefined,
): Promise<AuthorizationDestination[]> {
  const account = detail?.account_ref === undefined ? undefined : await findAccount(tx, person, detail.account_ref);
  if (detail?.account_ref !== undefined && account === undefined) return [];
  const named = account?.destination ?? detail?.destination;
  return [...core.destinations.values()]
    .filter((destination) => named === undefined || destination.id === named)
    .flatMap((destination) => shown(core, destination, detail));
}

function shown(core: Core, destination: KnownDestination, detail: GrantDetail | undefined): AuthorizationDestination[] {
  const scope = askedScope(core, destination, detail);
  if (!scope.ok) return [];
  const { id, title, origin, byRoute } = destination;
  return [
    {
      id,
      title,
      origin,
      ...(detail?.account_ref === undefined ? {} : { account_ref: detail.account_ref }),
      asked: scope.value,
      available_operations: offered(core, id),
      available_routes: [...byRoute.keys()],
    },
  ];
}
