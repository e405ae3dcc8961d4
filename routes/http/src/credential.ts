import { type Secret, secret } from "@countersign/wire";

/** How a request says whose account it is for: one header with its secret value. */
export interface Credential {
  /** Lower case. */
  readonly header: string;
  readonly value: Secret<string>;
}

/** Puts a session's token, cookie or key into the header that its site looks for. */
export type Presents = (token: Secret<string>) => Credential;

/** RFC 6750: what a form or an OAuth server has brought. */
export const asBearer: Presents = (token) => ({
  header: "authorization",
  value: secret(`Bearer ${token.reveal()}`),
});
