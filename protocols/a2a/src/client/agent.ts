import type { Bindings, Destination } from "@countersign/plugin";
import { definitionDigest } from "@countersign/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import type { CardSkill } from "../card/read/shape.ts";

/** A remote agent as its operator entered it; everything else about it stands on its card, which is judged first. */
export interface RemoteAgent {
  /** Where its card is, at the destination's own origin. */
  readonly cardPath: string;
  /** Public JWKs by which its card may be signed. */
  readonly keys: readonly JsonObject[];
  /** Further origins at which a signature's `jku` may point, beside the card's own. */
  readonly keyOrigins: readonly string[];
  /** `accepted`: a card without any signature is taken. */
  readonly unsigned: "refused" | "accepted";
  /** For whom tokens are made; the destination's origin unless it is said. */
  readonly audience?: string;
  /** What a message's data is: the skill's name beside its input, or the input alone. */
  readonly data: "skill_and_input" | "input";
  /** Digest of a card that is taken although it is less safe than the one before. */
  readonly acceptedCard?: string;
  /** The skills that commit: they are held for the boundary and never simply called. */
  readonly committing: readonly string[];
  /** Every skill that is called. */
  readonly skills: readonly string[];
}

/** How the account is known, where the agent has no skill that says so: by our own name for the person there. */
export type AgentIdentity = Bindings["identity"] | "by_token";

/**
 * The digest that a skill is bound by: over every member that says what it does, what it takes and what it wants of a
 * caller. A skill that has changed is not called before its operator has looked at it again.
 */
export function skillDigest(skill: CardSkill): Promise<string> {
  const { id, name, description, inputModes, outputModes, securityRequirements } = skill;
  return definitionDigest({
    id,
    name,
    description,
    inputModes,
    outputModes,
    securityRequirements: securityRequirements as unknown as JsonObject[] | undefined,
  });
}

/** Not a skill: how the task of the agent's stands that `a2a:task` names. */
export const GET_TASK_NAME = "GetTask";

/** What {@link GET_TASK_NAME} is bound by; it is the protocol's own and changes with its version alone. */
export function getTaskDigest(): Promise<string> {
  return definitionDigest({ method: GET_TASK_NAME, version: "1.0" });
}

/** The registry gives a route the entries of its own kind only; here the types hear of it. */
export function remoteAgent(destination: Destination): RemoteAgent {
  assert(destination.entry.route === "a2a", "an entry of the a2a route");
  return destination.entry.signIn as RemoteAgent;
}

/** Where the agent may be called: the destination's own origin and those that the operator put beside it. */
export function agentOrigins(destination: Destination): ReadonlySet<string> {
  return new Set([destination.origin, ...destination.alsoOrigins]);
}

export function audienceOf(destination: Destination): string {
  return remoteAgent(destination).audience ?? destination.origin;
}
