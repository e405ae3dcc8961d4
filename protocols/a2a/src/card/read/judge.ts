import { err, type JsonObject, ok, type Result } from "@countersign/wire";
import type { ClientExtension } from "../../extensions/extension.ts";
import { type CardPin, downgrade, pinOf } from "./change.ts";
import { type Negotiated, negotiate } from "./extensions.ts";
import { type ChosenInterface, chooseInterface } from "./interfaces.ts";
import { parseCard } from "./parse.ts";
import { type CardProblem, cardProblem } from "./problem.ts";
import { judgeSecurity } from "./security.ts";
import type { AgentCard } from "./shape.ts";
import { type CardKeys, verifyCard } from "./signature.ts";

/** What is held against a card. */
export interface CardRules {
  readonly keys: CardKeys;
  /** `accepted`: a card without any signature is taken. One whose signatures do not hold never is. */
  readonly unsigned: "refused" | "accepted";
  /** Where the agent may be called. */
  readonly origins: ReadonlySet<string>;
  /** The gateway's own issuer, whose tokens are given. */
  readonly issuer: string;
  readonly extensions: readonly ClientExtension[];
  /** The skills that are called. */
  readonly skills: readonly string[];
  /** The card that was taken last; `unreadable` is told from none. */
  readonly before: CardPin | "unreadable" | undefined;
  /** Digest of a card that the operator takes although it is less safe than the one before. */
  readonly accepted: string | undefined;
}

/** A card that may be acted on. */
export interface JudgedCard {
  readonly raw: JsonObject;
  readonly card: AgentCard;
  readonly digest: string;
  readonly signed: boolean;
  readonly interface: ChosenInterface;
  readonly extensions: Negotiated;
  readonly pin: CardPin;
}

/** Where a member that nobody signed would decide about security. */
const RELEVANT =
  /^\/(supportedInterfaces|securitySchemes|securityRequirements|capabilities|skills\/[0-9]+\/securityRequirements)(\/|$)/;

/**
 * Judges a foreign card as it came, before anything is sent to its agent (a2a.md sections 6, 7 and 9): form, signature,
 * what the signature leaves out, how callers prove themselves, extensions, where it is called, and whether it is less
 * safe than the one before.
 */
export async function judgeCard(bytes: Uint8Array, rules: CardRules): Promise<Result<JudgedCard, CardProblem>> {
  const parsed = await parseCard(bytes);
  if (!parsed.ok) return parsed;
  const { raw, card, digest } = parsed.value;
  const verified = await verifyCard(parsed.value, rules.keys);
  if (!verified.ok && (verified.reason.code !== "unsigned" || rules.unsigned === "refused")) return verified;
  const uncovered = verified.ok ? verified.value.uncovered.find((path) => RELEVANT.test(path)) : undefined;
  if (uncovered !== undefined) return err(cardProblem("unsigned_member", uncovered));
  const secure = judgeSecurity(card, rules.skills, rules.issuer);
  if (!secure.ok) return secure;
  const extensions = negotiate(card.capabilities.extensions, rules.extensions);
  if (!extensions.ok) return extensions;
  const chosen = chooseInterface(card.supportedInterfaces, rules.origins);
  if (!chosen.ok) return chosen;
  const pin = pinOf(card, digest, verified.ok);
  if (digest !== rules.accepted) {
    if (rules.before === "unreadable") return err(cardProblem("downgrade", "pin"));
    const less = rules.before === undefined ? undefined : downgrade(rules.before, pin);
    if (less !== undefined) return err(cardProblem("downgrade", less));
  }
  return ok({ raw, card, digest, signed: verified.ok, interface: chosen.value, extensions: extensions.value, pin });
}
