import type { HttpSignIn, SignInStep, SubmitStep } from "@countersign/route-http";
import { parseInstant, secret } from "@countersign/wire";
import { z } from "zod";
import { errorCode } from "./shapes.ts";

const SESSION = "/api/v1/session";
const CODE_FIELD = { name: "code", label: "One-time code", kind: "code" } as const;

const challengeShape = z.object({ error: z.literal("second_factor_required"), challenge: z.string().min(1) });
const tokenShape = z.object({
  token: z.string().min(1),
  expires_at: z.string().refine((text) => parseInstant(text).ok),
});

/** E-mail and password, then the code of the person's authenticator; what comes of it is the shop's bearer token. */
export const signIn: HttpSignIn = {
  fields: [
    { name: "email", label: "Email", kind: "email" },
    { name: "password", label: "Password", kind: "password" },
  ],
  async submit(_ctx, http, values): Promise<SignInStep> {
    const body = { email: values.get("email")?.reveal() ?? "", password: values.get("password")?.reveal() ?? "" };
    const answer = await http.fetch(SESSION, { method: "POST", body });
    const challenge = challengeShape.safeParse(answer.json);
    if (!challenge.success) return { kind: "refused", message: refusal(errorCode(answer)) };
    return { kind: "more", fields: [CODE_FIELD], next: verify(challenge.data.challenge) };
  },
};

function verify(challenge: string): SubmitStep {
  const submit: SubmitStep = async (_ctx, http, values) => {
    const code = values.get("code")?.reveal() ?? "";
    const answer = await http.fetch(`${SESSION}/verify`, { method: "POST", body: { challenge, code } });
    const token = answer.status === 200 ? tokenShape.safeParse(answer.json) : undefined;
    if (token?.success)
      return { kind: "signed_in", material: { token: secret(token.data.token), expiresAt: token.data.expires_at } };
    const why = errorCode(answer);
    // The challenge outlives a mistyped code: only the code is asked again.
    if (why === "invalid_code") return { kind: "more", fields: [CODE_FIELD], next: submit, message: refusal(why) };
    return { kind: "refused", message: refusal(why) };
  };
  return submit;
}

function refusal(code: string | undefined): string {
  switch (code) {
    case "invalid_credentials":
      return "The shop does not know this email and password.";
    case "invalid_code":
      return "The shop did not take that code. Enter the one shown now.";
    case "rate_limited":
      return "The shop has had too many tries. Wait a quarter of an hour.";
    default:
      return "The shop did not sign you in. Begin again.";
  }
}
