import { isJsonObject, type Json, type JsonObject, parseHttpUrl } from "@countersign/wire";
import { z } from "zod";
import {
  EXTENSIONS_MAX,
  INTERFACES_MAX,
  REQUIREMENTS_MAX,
  SCHEMES_MAX,
  SIGNATURES_MAX,
  SKILLS_MAX,
  URI_CHARS_MAX,
} from "./limits.ts";

// The card as it stands on the wire (camelCase, a2a.md section 2). Members that are not read here are ignored, as the
// protocol asks; a member of another type than its own makes the card malformed.

const text = z.string().min(1);
const url = z.string().refine((value) => parseHttpUrl(value).ok);
const object = z.custom<JsonObject>((value) => isJsonObject(value as Json));
const modes = z.array(text).min(1);

const agentInterface = z.object({
  url,
  protocolBinding: text,
  protocolVersion: text,
  tenant: z.string().exactOptional(),
});

const extension = z.object({
  /** An absent one is judged with the others: it names nothing. */
  uri: z.string().max(URI_CHARS_MAX).default(""),
  description: z.string().exactOptional(),
  required: z.boolean().default(false),
  params: object.exactOptional(),
});

const SCHEMES = {
  apiKeySecurityScheme: z.object({ location: text, name: text }),
  httpAuthSecurityScheme: z.object({ scheme: text, bearerFormat: z.string().exactOptional() }),
  oauth2SecurityScheme: z.object({ flows: object, oauth2MetadataUrl: z.string().exactOptional() }),
  openIdConnectSecurityScheme: z.object({ openIdConnectUrl: text }),
  mtlsSecurityScheme: z.object({}),
} as const;

const scheme = z
  .object({
    apiKeySecurityScheme: SCHEMES.apiKeySecurityScheme.exactOptional(),
    httpAuthSecurityScheme: SCHEMES.httpAuthSecurityScheme.exactOptional(),
    oauth2SecurityScheme: SCHEMES.oauth2SecurityScheme.exactOptional(),
    openIdConnectSecurityScheme: SCHEMES.openIdConnectSecurityScheme.exactOptional(),
    mtlsSecurityScheme: SCHEMES.mtlsSecurityScheme.exactOptional(),
  })
  .refine((each) => Object.keys(each).length === 1);

const requirement = z.object({
  schemes: z.record(z.string(), z.object({ list: z.array(z.string()).default([]) })).default({}),
});
const requirements = z.array(requirement).max(REQUIREMENTS_MAX);

const skill = z.object({
  id: text,
  name: text,
  description: text,
  tags: z.array(z.string()),
  inputModes: z.array(text).exactOptional(),
  outputModes: z.array(text).exactOptional(),
  securityRequirements: requirements.exactOptional(),
});

const signature = z.object({ protected: text, signature: text, header: object.exactOptional() });

export const cardShape = z.object({
  name: text,
  description: text,
  version: text,
  supportedInterfaces: z.array(agentInterface).min(1).max(INTERFACES_MAX),
  capabilities: z.object({
    streaming: z.boolean().exactOptional(),
    pushNotifications: z.boolean().exactOptional(),
    extendedAgentCard: z.boolean().exactOptional(),
    extensions: z.array(extension).max(EXTENSIONS_MAX).default([]),
  }),
  securitySchemes: z
    .record(z.string(), scheme)
    .refine((all) => Object.keys(all).length <= SCHEMES_MAX)
    .default({}),
  securityRequirements: requirements.default([]),
  defaultInputModes: modes,
  defaultOutputModes: modes,
  skills: z
    .array(skill)
    .min(1)
    .max(SKILLS_MAX)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length),
  signatures: z.array(signature).max(SIGNATURES_MAX).default([]),
});

export type AgentCard = z.infer<typeof cardShape>;
export type AgentInterface = AgentCard["supportedInterfaces"][number];
export type CardExtension = AgentCard["capabilities"]["extensions"][number];
export type CardSkill = AgentCard["skills"][number];
export type CardSignature = AgentCard["signatures"][number];
export type SecurityRequirement = AgentCard["securityRequirements"][number];
