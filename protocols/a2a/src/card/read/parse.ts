import {
  type Digest,
  digestOf,
  err,
  isJsonObject,
  type JsonObject,
  ok,
  parseJson,
  type Result,
} from "@countersign/wire";
import { CARD_BYTES_MAX, CARD_DEPTH_MAX } from "./limits.ts";
import { type CardProblem, cardProblem, stepTo } from "./problem.ts";
import { type AgentCard, cardShape } from "./shape.ts";

/** A card whose form is right. Nothing about it is true before its signature is judged. */
export interface ParsedCard {
  /** As it came; signatures are verified over this and never over a decoded object (a2a.md section 9, row 2). */
  readonly raw: JsonObject;
  readonly card: AgentCard;
  /** Of the card without its signatures: whoever signs anew for each request has not changed it. */
  readonly digest: Digest;
}

/** Strict JSON (no name twice, bounded), then the members that are read here. */
export async function parseCard(bytes: Uint8Array): Promise<Result<ParsedCard, CardProblem>> {
  const parsed = parseJson(bytes, { maxBytes: CARD_BYTES_MAX, maxDepth: CARD_DEPTH_MAX });
  if (!parsed.ok) return err(cardProblem(parsed.reason.code === "too_large" ? "too_large" : "not_json"));
  if (!isJsonObject(parsed.value)) return err(cardProblem("not_json"));
  const shaped = cardShape.safeParse(parsed.value);
  if (!shaped.success) {
    const path = shaped.error.issues[0]?.path ?? [];
    return err(
      cardProblem(
        "malformed",
        path.reduce<string>((at, step) => stepTo(at, String(step)), ""),
      ),
    );
  }
  const { signatures: _, ...unsigned } = parsed.value;
  return ok({ raw: parsed.value, card: shaped.data, digest: await digestOf(unsigned) });
}
