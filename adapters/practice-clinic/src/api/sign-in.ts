import type { HttpSignIn, SignInStep, SubmitStep } from "@countersign/route-http";
import { parseInstant, secret } from "@countersign/wire";
import { z } from "zod";
import { errorCode } from "./shapes.ts";

const SESSIONS = "/api/sessions";
const FIELDS = [
  { name: "patient_number", label: "Patient number", kind: "text" },
  { name: "password", label: "Password", kind: "password" },
] as const;

const challengeShape = z.object({
  challenge: z.string().min(1),
  method: z.literal("push"),
  number: z.string().regex(/^\d{2}$/),
});
const tokenShape = z.object({
  token: z.string().min(1),
  expires_at: z.string().refine((text) => parseInstant(text).ok),
});

/** Patient number and password; then the clinic asks on the person's phone, and a form without a field waits for that. */
export const signIn: HttpSignIn = { fields: FIELDS, submit: (ctx, http, values) => first(ctx, http, values) };

const first: SubmitStep = async (_ctx, http, values): Promise<SignInStep> => {
  const body = {
    patient_number: values.get("patient_number")?.reveal() ?? "",
    password: values.get("password")?.reveal() ?? "",
  };
  const answer = await http.fetch(SESSIONS, { method: "POST", body });
  const code = errorCode(answer.json);
  const asked = code === "second_factor_required" ? challengeShape.safeParse(answer.json) : undefined;
  if (asked?.success !== true) return { kind: "refused", message: refusal(code) };
  const message = `Tap ${asked.data.number} on your phone, where the clinic asks. Then go on here.`;
  return { kind: "more", fields: [], next: phone(asked.data.challenge, message), message };
};

function phone(challenge: string, question: string): SubmitStep {
  const submit: SubmitStep = async (_ctx, http) => {
    const answer = await http.fetch(`${SESSIONS}/confirm`, { method: "POST", body: { challenge } });
    const token = answer.status === 200 ? tokenShape.safeParse(answer.json) : undefined;
    if (token?.success)
      return { kind: "signed_in", material: { token: secret(token.data.token), expiresAt: token.data.expires_at } };
    const why = errorCode(answer.json);
    if (why === "second_factor_waiting")
      return { kind: "more", fields: [], next: submit, message: `Not answered yet. ${question}` };
    // A question that is over is not asked again: the person begins with the password.
    if (why === "second_factor_refused" || why === "challenge_expired")
      return { kind: "more", fields: FIELDS, next: first, message: refusal(why) };
    return { kind: "refused", message: refusal(why) };
  };
  return submit;
}

function refusal(code: string | undefined): string {
  switch (code) {
    case "invalid_credentials":
      return "The clinic does not know this patient number and password.";
    case "second_factor_refused":
      return "The sign-in was refused on your phone. Sign in again.";
    case "challenge_expired":
      return "That took too long. Sign in again.";
    case "rate_limited":
      return "The clinic has had too many tries. Wait a quarter of an hour.";
    default:
      return "The clinic did not sign you in. Begin again.";
  }
}
