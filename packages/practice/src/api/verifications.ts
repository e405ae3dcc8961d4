import { parseObject } from "../http/body.ts";
import type { Exchange } from "../http/exchange.ts";
import { type Answer, json, type Reply } from "../http/reply.ts";
import { VERIFICATION_CODES_MAX } from "../limits.ts";
import { findVerification, type PaymentVerification, tryCode } from "../shop/verifications.ts";
import type { World } from "../shop/world.ts";
import { instant, orderWire, refuseApi } from "./wire.ts";

export function verificationWire(verification: PaymentVerification) {
  return {
    verification_id: verification.id,
    status: verification.status,
    expires_at: instant(verification.expiresAtMs),
    message: "Your bank has sent you a code. Send it to confirm the payment.",
    ...(verification.order && { order_number: verification.order.number }),
  };
}

/** What the order endpoint answers instead of an order. */
export function verificationRequired(verification: PaymentVerification): Answer {
  return json(202, verificationWire(verification), { location: `/api/v1/verifications/${verification.id}` });
}

export function showVerification(world: World, exchange: Exchange): Answer {
  const found = findVerification(world, exchange.params["verification"] ?? "");
  return found ? json(200, verificationWire(found)) : refuseApi("not_found");
}

export function sendCode(world: World, exchange: Exchange): Reply {
  const found = findVerification(world, exchange.params["verification"] ?? "");
  const code = parseObject(exchange.body)?.["code"];
  if (!found) return refuseApi("not_found");
  if (typeof code !== "string") return refuseApi("invalid_request");
  switch (tryCode(world, found, code.trim())) {
    case "passed":
      if (world.switches.take("verifyThenDrop")) return { kind: "drop" };
      return found.order ? json(201, orderWire(found.order)) : refuseApi("not_found");
    case "wrong_code":
      return refuseApi("wrong_code", { tries_left: VERIFICATION_CODES_MAX - found.wrongCodes });
    case "declined":
      return refuseApi("payment_declined");
    case "over":
      return refuseApi("verification_over", { status: found.status });
  }
}
