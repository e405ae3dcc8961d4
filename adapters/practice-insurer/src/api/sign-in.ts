import type { CookieSignIn, SignInStep, SubmitStep } from "@countersign/route-http";
import { problemCode } from "./shapes.ts";

const SESSION = "/api/session";
const CODE_FIELD = { name: "code", label: "Code of your authenticator", kind: "code" } as const;

/** Email and password, then the code of the person's authenticator; what comes of it is the cookie of the insurer's pages. */
export const signIn: CookieSignIn = {
  kind: "cookie",
  cookie: "fairhaven_session",
  signInPath: "/sign-in",
  fields: [
    { name: "email", label: "Email", kind: "email" },
    { name: "password", label: "Password", kind: "password" },
  ],
  async submit(_ctx, http, values): Promise<SignInStep> {
    const body = { email: values.get("email")?.reveal() ?? "", password: values.get("password")?.reveal() ?? "" };
    const answer = await http.fetch(SESSION, { method: "POST", body });
    if (answer.status !== 200) return { kind: "refused", message: refusal(problemCode(answer.json)) };
    return { kind: "more", fields: [CODE_FIELD], next: prove };
  },
};

const prove: SubmitStep = async (_ctx, http, values) => {
  const body = { code: values.get("code")?.reveal() ?? "" };
  const answer = await http.fetch(`${SESSION}/code`, { method: "POST", body });
  if (answer.status === 200) return { kind: "signed_in_by_cookie" };
  const why = problemCode(answer.json);
  // The password has been taken; only the code is asked again.
  if (why === "invalid_code") return { kind: "more", fields: [CODE_FIELD], next: prove, message: refusal(why) };
  return { kind: "refused", message: refusal(why) };
};

function refusal(code: string | undefined): string {
  switch (code) {
    case "invalid_credentials":
      return "The insurer does not know this email and password.";
    case "invalid_code":
      return "The insurer did not take that code. Enter the one shown now.";
    case "rate_limited":
      return "The insurer has had too many tries. Wait a quarter of an hour.";
    default:
      return "The insurer did not sign you in. Begin again.";
  }
}
