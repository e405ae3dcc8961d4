import { identifier, timestamp } from "@countersign/profile";
import type { Json, JsonObject } from "@countersign/wire";
import { z } from "zod";
import { destinationData, refused, told, UNTRUSTED } from "../answers.ts";
import { toolName } from "./operations.ts";
import { ASKS, LOOKS, type Tool, tool } from "./tool.ts";

const json = z.json();
const object = z.record(z.string(), json);
const PURPOSE_CHARS_MAX = 500;
const OPERATIONS_MAX = 50;

const accountsList = tool({
  name: "accounts_list",
  title: "List accounts and grants",
  description:
    "The accounts that the account holder lets you act for, and the grants with what their use has left. Operations need an account_ref and a consent_ref from here.",
  annotations: LOOKS,
  input: z.strictObject({}),
  output: z.strictObject({
    accounts: z.array(
      z.strictObject({ account_ref: z.string(), destination: z.string(), connections: z.array(object) }),
    ),
    consents: z.array(object),
  }),
  async run(call) {
    const accounts = await call.host.port.accounts(call.caller);
    if (!accounts.ok) return refused(accounts.reason);
    const consents = await call.host.port.consents(call.caller);
    if (!consents.ok) return refused(consents.reason);
    return told({ accounts: accounts.value["accounts"] ?? [], consents: consents.value["consents"] ?? [] });
  },
});

const capabilitiesList = tool({
  name: "capabilities_list",
  title: "List what an account can do",
  description:
    "What can be done at an account, which tool does it, who decides, and the references of its addresses, payment means and payees that parameters may name.",
  annotations: LOOKS,
  input: z.strictObject({ account_ref: identifier }),
  output: z.strictObject({
    account_ref: z.string(),
    destination: z.string(),
    operations: z.array(
      z.strictObject({
        operation: z.string(),
        tool: z.string(),
        title: z.string(),
        effect: z.enum(["read", "commit"]),
        routes: z.array(z.string()),
        approval: z.string().exactOptional(),
      }),
    ),
    references: destinationData(z.array(z.strictObject({ ref: z.string(), kind: z.string(), label: z.string() }))),
  }),
  async run(call, { account_ref }) {
    const found = await call.host.port.capabilities(call.caller, account_ref);
    if (!found.ok) return refused(found.reason);
    const { operations, references, ...rest } = found.value;
    return told({
      ...rest,
      // The schemas stand in tools/list already.
      operations: (operations as readonly JsonObject[]).map(({ parameters, result, ...one }) => ({
        ...one,
        tool: toolName(String(one["operation"])),
      })),
      references: { trust: UNTRUSTED, value: references as Json },
    });
  },
});

const consentRequest = tool({
  name: "consent_request",
  title: "Ask for a grant",
  description:
    "Asks the account holder to let you use operations at a destination or an account. It only puts the question into their inbox: they choose the account, may narrow what you ask for, and decide on a page of the gateway. Give them consent_url, then look with consent_get.",
  annotations: ASKS,
  input: z.strictObject({
    destination: z
      .string()
      .min(1)
      .max(80)
      .exactOptional()
      .describe("A destination's name; or say account_ref instead."),
    account_ref: identifier.exactOptional(),
    operations: z.array(identifier).min(1).max(OPERATIONS_MAX),
    routes: z.array(identifier).min(1).max(OPERATIONS_MAX).exactOptional(),
    limits: object
      .exactOptional()
      .describe('The tightest limits that are enough, for example {"max_total_minor": 6000, "currency": "EUR"}.'),
    purpose: z.string().min(1).max(PURPOSE_CHARS_MAX).describe("Why, in words for the account holder."),
    expires_at: timestamp.describe("Until when the grant is wanted."),
  }),
  output: object,
  async run(call, input) {
    const asked = await call.host.port.requestConsent(call.caller, input as Json);
    return asked.ok ? told(withPage(call.host.issuer, asked.value)) : refused(asked.reason);
  },
});

const consentGet = tool({
  name: "consent_get",
  title: "Look at a grant",
  description: "Says whether a grant was given, for what, until when, and what its use has left.",
  annotations: LOOKS,
  input: z.strictObject({ consent_ref: identifier }),
  output: object,
  async run(call, { consent_ref }) {
    const found = await call.host.port.consent(call.caller, consent_ref);
    return found.ok ? told(withPage(call.host.issuer, found.value)) : refused(found.reason);
  },
});

/** The page gives nobody any right: it asks who opens it. */
function withPage(issuer: string, consent: JsonObject): JsonObject {
  const { consent_ref: ref, state } = consent;
  return state === "requested" && typeof ref === "string"
    ? { ...consent, consent_url: `${issuer}/consents/${ref}` }
    : consent;
}

export const ACCOUNT_TOOLS: readonly Tool[] = [accountsList, capabilitiesList, consentGet, consentRequest];
