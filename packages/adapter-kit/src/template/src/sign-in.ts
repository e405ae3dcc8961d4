import { secret } from "@countersign/plugin/site";
import type { HttpSignIn } from "@countersign/route-http";
import { z } from "zod";

const tokenShape = z.object({ token: z.string().min(1) });

/**
 * How a person signs in to the site's API: the forms that they see, and what takes their answers. What is typed goes to
 * the site and nowhere else. A second factor is another form: answer `{ kind: "more", fields, next }`.
 */
export const signIn: HttpSignIn = {
  fields: [
    { name: "email", label: "Email", kind: "email" },
    { name: "password", label: "Password", kind: "password" },
  ],
  async submit(_ctx, http, values) {
    const body = { email: values.get("email")?.reveal() ?? "", password: values.get("password")?.reveal() ?? "" };
    const answer = await http.fetch("/api/session", { method: "POST", body });
    const token = answer.status === 200 ? tokenShape.safeParse(answer.json) : undefined;
    if (token?.success !== true) return { kind: "refused", message: "The site does not know this email and password." };
    return { kind: "signed_in", material: { token: secret(token.data.token) } };
  },
};
