import { err, type JsonObject, ok, type Result } from "@countersign/wire";
import type { TapVerified } from "../message/verify.ts";
import { ASSUMED_LINES, type ObjectForm } from "./canonical.ts";
import { objectAt, verifyLinked } from "./linked.ts";

/** What a merchant answered with 402. Where the values stand in that answer is not published. */
export interface Invoice {
  readonly invoiceId: string;
  readonly amount: string;
  readonly cardAcceptorId: string;
  readonly acquirerId: string;
  /** The resource that is paid for. */
  readonly uri: string;
}

export type IouProblem = "no_iou" | "differs" | "bad_signature" | "already_used";

/**
 * A promise to pay for one resource: every value equals what the merchant asked, its signature holds, and each invoice is
 * used once. `use` records it in one step and answers whether it was the first.
 */
export async function verifyIou(
  container: JsonObject,
  invoice: Invoice,
  given: {
    readonly message: TapVerified;
    readonly use: (invoiceId: string) => Promise<boolean>;
    readonly form?: ObjectForm;
  },
): Promise<Result<JsonObject, IouProblem>> {
  const iou = objectAt(container, "browsingIOU");
  if (iou === undefined) return err("no_iou");
  for (const [name, value] of Object.entries(invoice)) if (iou[name] !== value) return err("differs");
  // The IOU is signed by itself and carries no nonce of its own: the container that holds it does.
  const { message, use, form = ASSUMED_LINES } = given;
  const own: ObjectForm = { name: form.name, write: ({ nonce: _nonce, ...members }) => form.write(members) };
  const held = await verifyLinked({ nonce: message.nonce, ...iou }, message, own);
  if (!held.ok) return err("bad_signature");
  return (await use(invoice.invoiceId)) ? ok(iou) : err("already_used");
}
