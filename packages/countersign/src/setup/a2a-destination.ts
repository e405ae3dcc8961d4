import { resolve } from "node:path";
import { bindings, type Site } from "@countersign/plugin";
import { err, isJsonObject, type Json, type JsonObject, ok, parseOrigin, type Result } from "@countersign/wire";
import { z } from "zod";
import { readBoundFile } from "./bound-file.ts";

const KEYS_MAX = 16;
const ORIGINS_MAX = 20;
const PATH_MAX = 500;

/** What a remote agent's skills are bound to; an agent may have no skill that says whose account it is. */
const agentBindings = bindings.extend({ identity: z.union([z.literal("by_token"), bindings.shape.identity]) });
type AgentBindings = z.infer<typeof agentBindings>;

const origin = z.string().refine((text) => {
  const parsed = parseOrigin(text);
  return parsed.ok && parsed.value === text;
}, "an origin such as https://agent.example");

const publicKey = z
  .custom<JsonObject>((value) => isJsonObject(value as Json), "a public key as a JWK")
  .refine((jwk) => jwk["kty"] === "EC" || jwk["kty"] === "OKP", "a public key as a JWK: P-256 or Ed25519")
  .refine((jwk) => !("d" in jwk), "a public key: this one holds its private part");

/** A remote A2A agent as a destination (docs/a2a-client.md). */
export const a2aDestination = z
  .strictObject({
    /** Where its card is, at the destination's origin. */
    card: z
      .string()
      .max(PATH_MAX)
      .regex(/^\/[^?#\s\\]*$/, "a path such as /.well-known/agent-card.json")
      .default("/.well-known/agent-card.json"),
    /** By which keys its card may be signed. */
    keys: z.array(publicKey).max(KEYS_MAX).default([]),
    /** Where a signature may say that its key is, beside the card's own origin. */
    keyOrigins: z.array(origin).max(ORIGINS_MAX).default([]),
    unsigned: z.enum(["refused", "accepted"]).default("refused"),
    /** For whom tokens are made, where the agent wants another name than its origin. */
    audience: z.url().exactOptional(),
    /** What a message's data is. */
    data: z.enum(["skill_and_input", "input"]).default("skill_and_input"),
    /** Digest of a card that is taken although it is less safe than the one before. */
    acceptedCard: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/, "the digest of a card")
      .exactOptional(),
    bindings: agentBindings.exactOptional(),
    /** The bindings in a file of their own; seen from the folder of the settings file. */
    bindingsFile: z.string().min(1).max(4_096).exactOptional(),
  })
  .refine((a) => (a.bindings === undefined) !== (a.bindingsFile === undefined), "either bindings or bindingsFile");
export type A2aDestination = z.infer<typeof a2aDestination>;

/** The site of a remote agent. The reason is a sentence. */
export async function a2aSiteOf(
  id: string,
  title: string,
  setting: A2aDestination,
  folder: string,
): Promise<Result<Site, string>> {
  const bound =
    setting.bindings === undefined
      ? readBoundFile<AgentBindings>(resolve(folder, setting.bindingsFile ?? ""), agentBindings)
      : ok(setting.bindings);
  if (!bound.ok) return bound;
  const { card: cardPath, keys, keyOrigins, unsigned, audience, data, acceptedCard } = setting;
  const { identity, ...operations } = bound.value;
  // Loaded where it is needed: a gateway without such a destination has no use for the protocol's client.
  const { a2aSite, bindingProblem } = await import("@countersign/a2a/client");
  const problem = bindingProblem(operations, identity);
  if (problem !== undefined) return err(`bindings: ${problem}`);
  return ok(
    await a2aSite({
      id: `a2a.${id}`,
      title,
      agent: {
        cardPath,
        keys,
        keyOrigins,
        unsigned,
        data,
        ...(audience === undefined ? {} : { audience }),
        ...(acceptedCard === undefined ? {} : { acceptedCard }),
      },
      bindings: operations,
      identity,
    }),
  );
}
