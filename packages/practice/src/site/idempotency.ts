import { createHash } from "node:crypto";
import type { Exchange } from "../http/exchange.ts";
import type { Answer, Reply } from "../http/reply.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../limits.ts";
import type { SiteWorld } from "./world.ts";

/**
 * Runs a commit under the request's Idempotency-Key, if it has one: an equal repeat gets the kept answer with
 * `idempotency-replayed: true` and commits nothing; another body under the key is refused. Only commits are kept, so a
 * refused request can be corrected under its key.
 */
export function underKey(
  world: SiteWorld,
  exchange: Exchange,
  refuse: (error: "invalid_request" | "idempotency_key_reused") => Answer,
  run: () => Reply,
): Reply {
  const key = exchange.headers["idempotency-key"];
  if (key === undefined) return run();
  if (typeof key !== "string" || key === "" || key.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    return refuse("invalid_request");
  const requestDigest = createHash("sha256").update(`${exchange.url.pathname}\n${exchange.body}`).digest("base64url");
  const kept = world.state.replies.get(key);
  if (kept) {
    if (kept.requestDigest !== requestDigest) return refuse("idempotency_key_reused");
    return replay(kept.answer);
  }
  const reply = run();
  if (reply.kind === "committed") world.state.replies.set(key, { requestDigest, answer: reply.answer });
  return reply;
}

function replay(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, "idempotency-replayed": "true" } };
}
