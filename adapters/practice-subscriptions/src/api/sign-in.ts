import type { HttpSignIn, SignInStep, SubmitStep } from "@countersign/route-http";
import { parseInstant, secret } from "@countersign/wire";
import { z } from "zod";
import { errorCode } from "./shapes.ts";

const AUTH = "/api/v2/auth";
const CODE_FIELD = { name: "code", label: "Code of your authenticator app", kind: "code" } as const;

const challengeShape = z.object({ challenge: z.string().min(1), method: z.literal("totp") });
const tokenShape = z.object({
  token: z.string().min(1),
  expires_at: z.string().refine((text) => parseInstant(text).ok),
});

/** E-mail and password, then the code of the person's authenticator; what comes of it is the service's bearer token. */
export const signIn: HttpSignIn = {
  fields: [
    { name: "email", label: "Email", kind: "email" },
    { name: "password", label: "Password", kind: "password" },
  ],
  async submit(_ctx, http, values): Promise<SignInStep> {
    const body = { email: values.get("email")?.reveal() ?? "", password: values.get("password")?.reveal() ?? "" };
    const answer = await http.fetch(`${AUTH}/password`, { method: "POST", body });
    const code = errorCode(answer.json);
    const challenge = code === "second_factor_required" ? challengeShape.safeParse(answer.json) : undefined;
    if (challenge?.success !== true) return { kind: "refused", message: refusal(code) };
    return { kind: "more", fields: [CODE_FIELD], next: verify(challenge.data.challenge) };
  },
};

function verify(challenge: string): SubmitStep {
  const submit: SubmitStep = async (_ctx, http, values) => {
    const code = values.get("code")?.reveal() ?? "";
    const answer = await http.fetch(`${AUTH}/code`, { method: "POST", body: { challenge, code } });
    const token = answer.status === 200 ? tokenShape.safeParse(answer.json) : undefined;
    if (token?.success)
      return { kind: "signed_in", material: { token: secret(token.data.token), expiresAt: token.data.expires_at } };
    const why = errorCode(answer.json);
    // The challenge outlives a mistyped code: only the code is asked again.
    if (why === "invalid_code") return { kind: "more", fields: [CODE_FIELD], next: submit, message: refusal(why) };
    return { kind: "refused", message: refusal(why) };
  };
  return submit;
}

function refusal(code: string | undefined): string {
  switch (code) {
    case "invalid_credentials":
      return "The service does not know this email and password.";
    case "invalid_code":
      return "The service did not take that code. Enter the one shown now.";
    case "rate_limited":
      return "The service has had too many tries. Wait a quarter of an hour.";
    default:
      return "The service did not sign you in. Begin again.";
  }
}
