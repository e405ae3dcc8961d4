import type { AnyAdapter } from "@countersign/plugin";
import type { HttpSession, HttpSite, SignInStep } from "@countersign/route-http";
import { secret } from "@countersign/wire";
import { z } from "zod";
import { identity } from "../shared/identity.ts";
import { orderSubmit } from "./order-submit.ts";
import { ordersList } from "./orders-list.ts";
import { errorCode, meAnswer, readAnswer } from "./shapes.ts";
import { subscriptionCancel } from "./subscription-cancel.ts";

const challengeAnswer = z.object({ error: z.literal("second_factor_required"), challenge: z.string() });
const tokenAnswer = z.object({ token: z.string().min(1), expires_at: z.string() });

const CODE_FIELD = { name: "code", label: "One-time code", kind: "code" } as const;
const SIGN_IN = "/api/v1/session";

/** The practice shop by its API: e-mail and password, then a one-time code, for a token. */
export const apiEntry: HttpSite = {
  route: "http",
  signIn: {
    fields: [
      { name: "email", label: "E-mail", kind: "email" },
      { name: "password", label: "Password", kind: "password" },
    ],
    async submit(call, values): Promise<SignInStep> {
      const body = { email: values.get("email")?.reveal() ?? "", password: values.get("password")?.reveal() ?? "" };
      const answer = await call({ method: "POST", path: SIGN_IN, body });
      const challenge = challengeAnswer.safeParse(answer.json);
      if (!challenge.success) return { kind: "refused", message: refusal(errorCode(answer.json)) };
      return { kind: "more", fields: [CODE_FIELD], next: verifyWith(challenge.data.challenge) };
    },
  },
  async identify(_ctx, session) {
    const me = readAnswer(await session.call({ method: "GET", path: "/api/v1/me" }), meAnswer, 200);
    return me === "signed_out" ? undefined : identity(me.name, me.email_masked, me.addresses, me.instruments);
  },
  operations: [ordersList, orderSubmit, subscriptionCancel] satisfies readonly AnyAdapter<HttpSession>[],
};

function verifyWith(challenge: string): HttpSite["signIn"]["submit"] {
  const submit: HttpSite["signIn"]["submit"] = async (call, values) => {
    const answer = await call({
      method: "POST",
      path: `${SIGN_IN}/verify`,
      body: { challenge, code: values.get("code")?.reveal() ?? "" },
    });
    const token = answer.status === 200 ? tokenAnswer.safeParse(answer.json) : undefined;
    if (token?.success)
      return { kind: "signed_in", material: { token: secret(token.data.token), expiresAt: token.data.expires_at } };
    if (errorCode(answer.json) === "invalid_code")
      return { kind: "more", fields: [CODE_FIELD], next: submit, message: refusal("invalid_code") };
    return { kind: "refused", message: refusal(errorCode(answer.json)) };
  };
  return submit;
}

function refusal(code: string | undefined): string {
  switch (code) {
    case "invalid_credentials":
      return "The shop does not know this e-mail and password.";
    case "invalid_code":
      return "The shop did not take that code; enter the one shown now.";
    case "rate_limited":
      return "The shop has had too many tries; wait a quarter of an hour.";
    default:
      return "The shop did not let you in; begin again.";
  }
}
