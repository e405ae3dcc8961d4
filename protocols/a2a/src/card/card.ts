import type { JsonObject } from "@countersign/wire";
import { type A2aExtension, onCard } from "../extensions/extension.ts";
import { A2A_PATH, A2A_VERSIONS } from "../versions.ts";

/** The scheme's name on the card. */
const SCHEME = "countersign";
/** The one scope of an agent: what it may do is decided by grants, not by scopes. */
const SCOPE = "agent";
const JSON_MODE = "application/json";

export interface CardFacts {
  readonly issuer: string;
  /** Where tokens are had. */
  readonly authorizationServer: string;
  readonly extensions: readonly A2aExtension[];
  readonly pushes: "offered" | "off";
}

/**
 * What the card says, as wire JSON. Everything is composed, nothing is taken from a request: a card made from a Host
 * header would sign an attacker's address. No optional member has its default value and no required one is empty, so that
 * every reading of the signing rules gives the same bytes (a2a.md §7).
 */
export function cardOf(
  { issuer, authorizationServer, extensions, pushes }: CardFacts,
  skills: readonly JsonObject[] = SKILLS,
): JsonObject {
  const url = `${issuer}${A2A_PATH}`;
  const protocolVersion = A2A_VERSIONS[0] ?? "";
  return {
    name: "Countersign",
    description:
      "Acts at websites for its account holder: reads, orders, changes and payments at accounts that they connected. The agent proposes; the account holder decides on pages of the gateway; no message approves anything.",
    version: "0.1.0",
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion },
      { url, protocolBinding: "HTTP+JSON", protocolVersion },
    ],
    capabilities: {
      streaming: true,
      ...(pushes === "offered" ? { pushNotifications: true } : {}),
      extendedAgentCard: true,
      ...(extensions.length === 0 ? {} : { extensions: extensions.map(onCard) }),
    },
    securitySchemes: { [SCHEME]: schemeOf(issuer, authorizationServer) },
    // The list is not empty: an empty one can be taken from a signed card unseen (a2a.md §9, row 3).
    securityRequirements: [{ schemes: { [SCHEME]: { list: [SCOPE] } } }],
    defaultInputModes: [JSON_MODE, "text/plain"],
    defaultOutputModes: [JSON_MODE],
    skills,
  };
}

function schemeOf(issuer: string, authorizationServer: string): JsonObject {
  // Of an outside issuer the address alone is known; its own document says the rest.
  if (authorizationServer !== issuer) {
    const openIdConnectUrl = `${authorizationServer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    return { openIdConnectSecurityScheme: { openIdConnectUrl } };
  }
  return {
    oauth2SecurityScheme: {
      description: "An access token of this gateway's authorization server, for the resource of this interface alone.",
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}/oauth/authorize`,
          tokenUrl: `${issuer}/oauth/token`,
          refreshUrl: `${issuer}/oauth/token`,
          scopes: { [SCOPE]: "Act for the account holder, within the grants that they gave." },
          pkceRequired: true,
        },
      },
      oauth2MetadataUrl: `${issuer}/.well-known/oauth-authorization-server`,
    },
  };
}

function skill(id: string, name: string, description: string, example: JsonObject): JsonObject {
  return {
    id,
    name,
    description,
    tags: ["account", id === "act" ? "task" : "question"],
    examples: [JSON.stringify({ skill: id, ...example })],
    inputModes: [JSON_MODE],
    outputModes: [JSON_MODE],
  };
}

const EXPIRES = "2027-01-01T12:00:00Z";

/** What a data part can name as its `skill`. */
export const SKILLS: readonly JsonObject[] = [
  skill(
    "accounts",
    "Accounts and grants",
    "The accounts that the account holder lets you act for, and the grants with what their use has left.",
    {},
  ),
  skill(
    "capabilities",
    "What an account can do",
    "The operations of an account with the schemas of their parameters and results, who decides, and the references that parameters may name.",
    { account_ref: "acc_..." },
  ),
  skill(
    "request_consent",
    "Ask for a grant",
    "Puts a question into the account holder's inbox. They choose the account, may narrow what you ask for, and decide on a page of the gateway.",
    {
      destination: "practice-shop",
      operations: ["retail.orders.list"],
      purpose: "To find last week's order.",
      expires_at: EXPIRES,
    },
  ),
  skill("consent", "Look at a grant", "Whether a grant was given, for what, until when, and what its use has left.", {
    consent_ref: "cons_...",
  }),
  skill(
    "act",
    "Act at an account",
    "Asks for one operation as a task. Nothing is committed by the message: where the terms need a decision the account holder sees them exactly and decides. An action that may have happened is never begun again; the same idempotency_key finds the same task.",
    {
      operation: "retail.orders.list",
      account_ref: "acc_...",
      consent_ref: "cons_...",
      idempotency_key: "your-own-name-for-this-wish",
      parameters: {},
      expires_at: EXPIRES,
    },
  ),
];
