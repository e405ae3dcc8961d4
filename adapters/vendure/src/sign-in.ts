import { isJsonObject } from "@countersign/plugin/site";
import type { HttpSignIn, SignInStep } from "@countersign/route-http";
import { LOGIN, SHOP_API } from "./documents.ts";

const TOKEN_HEADER = "vendure-auth-token";

/** E-mail and password; the shop gives the session's token in a header of its answer. */
export const signIn: HttpSignIn = {
  fields: [
    { name: "email", label: "Email", kind: "email" },
    { name: "password", label: "Password", kind: "password" },
  ],
  async submit(_ctx, http, values): Promise<SignInStep> {
    const variables = {
      username: values.get("email")?.reveal() ?? "",
      password: values.get("password")?.reveal() ?? "",
    };
    const answer = await http.fetch(SHOP_API, { method: "POST", body: { query: LOGIN, variables } });
    const { json } = answer;
    const data = json !== undefined && isJsonObject(json) ? json["data"] : undefined;
    const login = data !== undefined && isJsonObject(data) ? data["login"] : undefined;
    const outcome = login !== undefined && isJsonObject(login) ? login["__typename"] : undefined;
    const token = answer.header(TOKEN_HEADER);
    // A token comes to whoever is not signed in as well, for a cart of nobody's: only the answer says who it is for.
    if (answer.status === 200 && outcome === "CurrentUser" && token !== undefined)
      return { kind: "signed_in", material: { token } };
    if (outcome === "CurrentUser")
      return { kind: "refused", message: "The shop gives its session to browsers alone; it cannot be reached here." };
    if (outcome === "InvalidCredentialsError")
      return { kind: "refused", message: "The shop does not know this email and password." };
    if (outcome === "NotVerifiedError")
      return {
        kind: "refused",
        message: "The shop has not confirmed your e-mail address yet. Follow the link in its mail.",
      };
    return { kind: "refused", message: "The shop did not sign you in. Begin again." };
  },
};
