import type { JsonObject } from "@countersign/wire";
import type { ReadAdapter } from "../seams/adapter.ts";
import type { ReadBinding } from "./bindings.ts";
import type { CallingSession } from "./calls.ts";
import { ask, askedScope, objectOf } from "./scope.ts";

/** A reading operation by one bound call. What it answers is data: the catalogue's schema judges it afterwards. */
export function boundRead(binding: ReadBinding): ReadAdapter<JsonObject, JsonObject, CallingSession> {
  return {
    effect: "read",
    operation: binding.operation,
    async read(ctx, session, parameters) {
      const scope = await askedScope(ctx, session, parameters, binding.details);
      if (!scope.ok) return scope.reason;
      const answer = await ask(session, binding.call, binding.refused, scope.value);
      if (!answer.ok) return answer.reason;
      const result = objectOf(binding.result, { ...scope.value, answer: answer.value });
      if (!result.ok) return { kind: "gap", why: `what ${binding.call.name} answered is not what was bound` };
      return { kind: "done", result: result.value };
    },
  };
}
