import type { AccountIdentity, FormSignIn } from "@countersign/plugin";
import { type Secret, secret } from "@countersign/wire";
import { toMaterial } from "./oauth/material.ts";
import { verifiedBy } from "./oauth/sign-in.ts";

const TOKEN = /^[\x21-\x7e]{8,4000}$/;

/** For servers without an authorization server: the person makes a token there and gives it to the gateway alone. */
export function tokenForm(
  label: string,
  identify: (material: Secret<string>) => Promise<AccountIdentity | undefined>,
): FormSignIn {
  return {
    mode: "form",
    fields: [{ name: "token", label, kind: "password" }],
    submit(values) {
      const token = values.get("token")?.reveal().trim() ?? "";
      if (!TOKEN.test(token)) return Promise.resolve({ kind: "refused", message: "That is no token of the site's." });
      return verifiedBy(identify, toMaterial({ kind: "token", access: secret(token) }));
    },
    close: async () => {},
  };
}
