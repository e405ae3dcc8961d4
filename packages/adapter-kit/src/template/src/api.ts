import { type Attempt, err, ok, readAmount, readDate, SiteTrouble, wantsSignIn } from "@countersign/plugin/site";
import type { HttpAnswer, HttpSession } from "@countersign/route-http";
import { z } from "zod";
import { CURRENCY, LOCALE } from "./limits.ts";

// What the site's API answers, as far as this adapter uses it. Whatever is not as it should be is trouble, never a guess:
// the gateway tries the step again, and nobody reads half a page as a whole one.

/** An amount as the site writes it, in minor units. `1.234` is none here: it can be read in two ways. */
const amount = z.string().transform((text, ctx) => {
  const read = readAmount(text, { currency: CURRENCY, locale: LOCALE });
  if (read.ok) return read.value.minor;
  ctx.addIssue({ code: "custom", message: `an amount: ${read.reason}` });
  return z.NEVER;
});
const day = z.string().transform((text, ctx) => {
  const read = readDate(text, { locale: LOCALE });
  if (read.ok) return read.value;
  ctx.addIssue({ code: "custom", message: `a date: ${read.reason}` });
  return z.NEVER;
});

const bill = z.object({
  id: z.string().min(1),
  number: z.string().min(1),
  title: z.string().min(1),
  issued: day,
  due: day,
  total: amount,
  open: amount,
  status: z.enum(["open", "waiting", "paid"]),
});
export type Bill = z.infer<typeof bill>;

const offer = z.object({
  bill,
  amount,
  fee: amount,
  total: amount,
  pay_on: day,
  method: z.object({ id: z.string().min(1), label: z.string().min(1) }),
});
export type Offer = z.infer<typeof offer>;

export const payment = z.object({
  number: z.string().min(1),
  bill: z.string().min(1),
  total: amount,
  /** What we sent with it: the site keeps it, so that a payment of ours is told from every other. */
  reference: z.string().nullable(),
});
export type Payment = z.infer<typeof payment>;

export const profile = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  methods: z.array(z.object({ id: z.string().min(1), label: z.string().min(1) })),
});

export const PAYMENTS = "/api/payments";

export async function readBills(session: HttpSession): Promise<Attempt<readonly Bill[]>> {
  return bodyOf(await session.fetch("/api/bills"), z.object({ bills: z.array(bill) }), ({ bills }) => bills);
}

/** The last screen before a payment; a bill that there is no longer anything to pay of has none. */
export async function readOffer(session: HttpSession, billId: string): Promise<Attempt<Offer>> {
  const answer = await session.fetch(`/api/bills/${encodeURIComponent(billId)}/payment`);
  if (answer.kind === "answer" && answer.status === 409 && wordOf(answer) === "nothing_to_pay")
    return err({ kind: "gap", why: "there is nothing to pay of this bill" });
  if (answer.kind === "answer" && answer.status === 404 && wordOf(answer) === "no_such_bill")
    return err({ kind: "gap", why: "the site has no such bill" });
  return bodyOf(answer, offer, (shown) => shown);
}

export async function readPayments(session: HttpSession): Promise<Attempt<readonly Payment[]>> {
  return bodyOf(await session.fetch(PAYMENTS), z.object({ payments: z.array(payment) }), ({ payments }) => payments);
}

/**
 * The body of an answer with status 200.
 * @throws SiteTrouble for every other status but 401, and for a body that is not as it should be.
 */
export function bodyOf<S, T>(answer: HttpAnswer, shape: z.ZodType<S>, pick: (body: S) => T): Attempt<T> {
  if (answer.kind === "signed_out") return wantsSignIn();
  const parsed = answer.status === 200 ? shape.safeParse(answer.json) : undefined;
  if (!parsed?.success) throw new SiteTrouble(`the site's API answered ${answer.status}`);
  return ok(pick(parsed.data));
}

/** The site's own word for a refusal; an error page of somebody in between has none. */
function wordOf(answer: { readonly json?: unknown }): string | undefined {
  const parsed = z.object({ error: z.string() }).safeParse(answer.json);
  return parsed.success ? parsed.data.error : undefined;
}
