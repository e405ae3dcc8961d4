import {
  type AccountIdentity,
  type Ctx,
  type Destination,
  type FormAnswer,
  type FormField,
  type FormSignIn,
  SiteTrouble,
} from "@countersign/plugin";
import { toKeyMaterial } from "../material.ts";
import { type HttpSession, httpSession } from "../session.ts";
import { fixedToken } from "../tokens.ts";
import { type ApiKeySignIn, presentsKey, readKey } from "./api-key.ts";

export interface KeySignInOptions {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly apiKey: ApiKeySignIn;
  identify(session: HttpSession): Promise<AccountIdentity | undefined>;
}

const FIELD = "api_key";
const NOT_TAKEN = "The site does not take this key. Look whether it is whole, or make a new one there.";

/**
 * One form of one field. The key is tried at the site before it is believed: the site says whose account it opens
 * (lessons U44), and only then it is kept, in the vault.
 */
export function keySignIn(options: KeySignInOptions): FormSignIn {
  const { ctx, destination, apiKey } = options;
  const presents = presentsKey(apiKey);
  // Masked like a password, and counted like one: a wrong key too often is a stop (MFA-3).
  const fields: readonly FormField[] = [{ name: FIELD, label: apiKey.label, kind: "password" }];
  return {
    mode: "form",
    fields,
    async submit(values): Promise<FormAnswer> {
      const key = readKey(values.get(FIELD), apiKey.form);
      if (!key.ok) return { kind: "more", fields, message: key.reason };
      const session = httpSession(ctx, destination, fixedToken(key.value), presents);
      let identity: AccountIdentity | undefined;
      try {
        identity = await options.identify(session);
      } catch (error) {
        if (!(error instanceof SiteTrouble)) throw error;
        return { kind: "refused", message: "The site does not answer; try again in a moment." };
      }
      if (identity === undefined) return { kind: "more", fields, message: NOT_TAKEN };
      return { kind: "done", verified: { identity, material: toKeyMaterial(key.value) } };
    },
    close: async () => {},
  };
}
