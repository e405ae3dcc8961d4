import type { BindingKeys, RenderPush } from "@countersign/gateway";
import { canonicalJson, type Instant, toBase64Url } from "@countersign/wire";
import { ORCHESTRATION_URI } from "../points.ts";
import { STATE_NAME } from "../wire/states.ts";
import { keptOf } from "./pushes.ts";
import { factsOf, orchestration, withMillis } from "./task-view.ts";

export interface PushDeps {
  readonly keys: () => BindingKeys;
  readonly keysUrl: string;
  readonly now: () => Instant;
}

/** Carries the signature of what is pushed: a JWS (RFC 7515) with the payload left out. */
export const SIGNATURE_HEADER = "countersign-signature";

/**
 * A push is a hint: the state and the reference, nothing of the task. Who gets one asks for the task itself. It is
 * signed, over its id, its time and the very bytes of its body, with the key that signs the card, so that a receiver
 * knows whose it is without a secret of ours.
 */
export function renderPush({ keys, keysUrl, now }: PushDeps): RenderPush {
  return async ({ id, push, task }) => {
    const facts = factsOf(task);
    const { v, state, reason, retry } = orchestration(facts);
    const body = canonicalJson({
      statusUpdate: {
        taskId: facts.taskId,
        contextId: facts.contextId,
        status: { state: STATE_NAME[facts.state], timestamp: withMillis(facts.at) },
        metadata: {
          [ORCHESTRATION_URI]: {
            v: v ?? 1,
            state: state ?? "",
            ...(reason === undefined ? {} : { reason }),
            ...(retry === undefined ? {} : { retry }),
          },
        },
      },
    });
    const seconds = String(Math.floor(now() / 1000));
    const { token, scheme, credentials } = keptOf(push);
    return {
      body,
      headers: [
        ["content-type", "application/a2a+json"],
        ["user-agent", "Countersign"],
        ["a2a-version", "1.0"],
        ["webhook-id", id],
        ["webhook-timestamp", seconds],
        [SIGNATURE_HEADER, await detached(keys(), keysUrl, `${id}.${seconds}.${body}`)],
        ...(scheme === undefined ? [] : [["authorization", [scheme, credentials].filter(Boolean).join(" ")] as const]),
        ...(token === undefined ? [] : [["x-a2a-notification-token", token] as const]),
      ],
    };
  };
}

async function detached(keys: BindingKeys, jku: string, payload: string): Promise<string> {
  const header = toBase64Url(
    new TextEncoder().encode(canonicalJson({ alg: "ES256", jku, kid: keys.kid, typ: "JOSE" })),
  );
  const input = `${header}.${toBase64Url(new TextEncoder().encode(payload))}`;
  return `${header}..${toBase64Url(await keys.sign(new TextEncoder().encode(input)))}`;
}
