import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import { stepTo } from "./problem.ts";

/**
 * The form of a card that signers make who drop what is empty before they sign: only members of the 1.0 model, no member
 * at its default, nothing empty. `dropped` names what such a signature therefore does not cover, where its presence means
 * something: entries of lists and maps, and members that the model does not have. A member whose default means the same
 * as its absence is left out of that list.
 */
export interface Reduced {
  readonly value: JsonObject;
  readonly dropped: readonly string[];
}

type Shape =
  | { readonly kind: "value" }
  /** Not explicitly optional in the model: `false` is as good as absent. */
  | { readonly kind: "flag" }
  | { readonly kind: "free" }
  | { readonly kind: "list" | "map"; readonly of: Shape }
  | { readonly kind: "object"; readonly members: Readonly<Record<string, Shape>> };

const VALUE: Shape = { kind: "value" };
const FLAG: Shape = { kind: "flag" };
const FREE: Shape = { kind: "free" };
const VALUES: Shape = { kind: "list", of: VALUE };
const listOf = (of: Shape): Shape => ({ kind: "list", of });
const mapOf = (of: Shape): Shape => ({ kind: "map", of });
const object = (members: Readonly<Record<string, Shape>>): Shape => ({ kind: "object", members });

const REQUIREMENTS = listOf(object({ schemes: mapOf(object({ list: VALUES })) }));
const SCOPES = mapOf(VALUE);
const FLOWS = object({
  authorizationCode: object({
    authorizationUrl: VALUE,
    tokenUrl: VALUE,
    refreshUrl: VALUE,
    scopes: SCOPES,
    pkceRequired: FLAG,
  }),
  clientCredentials: object({ tokenUrl: VALUE, refreshUrl: VALUE, scopes: SCOPES }),
  implicit: object({ authorizationUrl: VALUE, refreshUrl: VALUE, scopes: SCOPES }),
  password: object({ tokenUrl: VALUE, refreshUrl: VALUE, scopes: SCOPES }),
  deviceCode: object({ deviceAuthorizationUrl: VALUE, tokenUrl: VALUE, refreshUrl: VALUE, scopes: SCOPES }),
});

const CARD = object({
  name: VALUE,
  description: VALUE,
  supportedInterfaces: listOf(object({ url: VALUE, protocolBinding: VALUE, tenant: VALUE, protocolVersion: VALUE })),
  provider: object({ url: VALUE, organization: VALUE }),
  version: VALUE,
  documentationUrl: VALUE,
  capabilities: object({
    streaming: VALUE,
    pushNotifications: VALUE,
    extensions: listOf(object({ uri: VALUE, description: VALUE, required: FLAG, params: FREE })),
    extendedAgentCard: VALUE,
  }),
  securitySchemes: mapOf(
    object({
      apiKeySecurityScheme: object({ description: VALUE, location: VALUE, name: VALUE }),
      httpAuthSecurityScheme: object({ description: VALUE, scheme: VALUE, bearerFormat: VALUE }),
      oauth2SecurityScheme: object({ description: VALUE, flows: FLOWS, oauth2MetadataUrl: VALUE }),
      openIdConnectSecurityScheme: object({ description: VALUE, openIdConnectUrl: VALUE }),
      mtlsSecurityScheme: object({ description: VALUE }),
    }),
  ),
  securityRequirements: REQUIREMENTS,
  defaultInputModes: VALUES,
  defaultOutputModes: VALUES,
  skills: listOf(
    object({
      id: VALUE,
      name: VALUE,
      description: VALUE,
      tags: VALUES,
      examples: VALUES,
      inputModes: VALUES,
      outputModes: VALUES,
      securityRequirements: REQUIREMENTS,
    }),
  ),
  iconUrl: VALUE,
});

/** @param unsigned the card without its `signatures`. */
export function reduceCard(unsigned: JsonObject): Reduced {
  const dropped: string[] = [];
  const value = reduce(unsigned, CARD, "", dropped);
  return { value: value !== undefined && isJsonObject(value) ? value : {}, dropped };
}

function reduce(value: Json, shape: Shape, path: string, dropped: string[]): Json | undefined {
  if (value === null || value === "") return undefined;
  if (shape.kind === "flag" && value === false) return undefined;
  if (Array.isArray(value)) return reduceList(value, shape.kind === "list" ? shape.of : FREE, path, dropped);
  if (isJsonObject(value)) return reduceObject(value, shape, path, dropped);
  return value;
}

function reduceList(list: readonly Json[], of: Shape, path: string, dropped: string[]): Json | undefined {
  const kept: Json[] = [];
  for (const [index, each] of list.entries()) {
    const at = stepTo(path, index);
    const value = reduce(each, of, at, dropped);
    if (value === undefined) dropped.push(at);
    else kept.push(value);
  }
  return kept.length === 0 ? undefined : kept;
}

function reduceObject(value: JsonObject, shape: Shape, path: string, dropped: string[]): JsonObject | undefined {
  const kept: [string, Json][] = [];
  for (const [name, each] of Object.entries(value)) {
    const at = stepTo(path, name);
    const of = memberShape(shape, name);
    const reduced = of === undefined ? undefined : reduce(each, of, at, dropped);
    if (reduced !== undefined) kept.push([name, reduced]);
    else if (of === undefined || shape.kind !== "object") dropped.push(at);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function memberShape(shape: Shape, name: string): Shape | undefined {
  if (shape.kind === "map") return shape.of;
  if (shape.kind === "free") return FREE;
  return shape.kind === "object" && Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
}
