import type { Recognised, Verification, VerificationAnswer } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import type { HttpAnswer, HttpSession } from "@countersign/route-http";
import type { Json, JsonObject } from "@countersign/wire";
import { z } from "zod";
import { charged, orderResult } from "../shared/order.ts";
import { orderWish } from "../shared/wish.ts";
import { errorCode, orderShape } from "./shapes.ts";

const VERSION = 1;
const ID = /^[\w-]{1,100}$/;
const WRONG_CODE = "Your bank did not take that code. Enter the one that it has sent.";

export const verificationShape = z.object({ verification_id: z.string().regex(ID), status: z.literal("pending") });

export function demandState(demand: z.infer<typeof verificationShape>): JsonObject {
  return { v: VERSION, verification_id: demand.verification_id };
}

/** The order that an answer tells of, if it is the wished one. */
export function placed(
  json: Json | undefined,
  record: ActionRecord,
): Exclude<Recognised<JsonObject>, { kind: "verify" }> {
  const order = orderShape.safeParse(json);
  if (!order.success) return { kind: "unknown" };
  const { sku, quantity } = orderWish(record.parameters as JsonObject);
  const [line, ...others] = order.data.lines;
  // An order of something else is no confirmation of this one: the account is read back.
  if (others.length > 0 || line?.sku !== sku || line.quantity !== quantity) return { kind: "unknown" };
  return {
    kind: "confirmed",
    confirmation: order.data.number,
    result: orderResult(order.data),
    observed: charged(order.data),
  };
}

/** The shop has the order and places it once the person has sent the code of their bank (MFA-6). */
export const bankCode = {
  mode: "form",
  fields: () => [{ name: "code", label: "Code from your bank", kind: "code" }],
  async submit(_ctx, session, record, state, values) {
    const { v, verification_id: id } = state;
    if (v !== VERSION || typeof id !== "string" || !ID.test(id)) return { kind: "unknown" };
    const code = values.get("code")?.reveal() ?? "";
    return answerOf(await session.fetch(`/api/v1/verifications/${id}`, { method: "POST", body: { code } }), record);
  },
} satisfies Verification<JsonObject, HttpSession>;

function answerOf(answer: HttpAnswer, record: ActionRecord): VerificationAnswer<JsonObject> {
  if (answer.kind === "signed_out") return { kind: "unknown" };
  if (answer.status === 201) return placed(answer.json, record);
  const code = errorCode(answer);
  if (answer.status === 422 && code === "wrong_code") return { kind: "waiting", message: WRONG_CODE };
  if (answer.status === 422 && code === "payment_declined")
    return { kind: "refused", why: "the bank declined the payment" };
  return { kind: "unknown" };
}
