/** Why nothing came of a request; kept beside the library's own errors, which say it in many ways. */
export type Trouble =
  /** The server wants somebody to sign in, or to sign in for more. */
  | "signed_out"
  /** The server goes on asking for rights that this sign-in has been given. */
  | "forbidden"
  /** No whole answer, or one that is too large. */
  | "lost"
  /** It must not leave: a commit that is not held, another address, a message of no use to us. */
  | "refused";

/** A request that nothing came of, and why. */
export class Stopped extends Error {
  override readonly name = "Stopped";
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super(`the server's answer: ${trouble}`);
    this.trouble = trouble;
  }
}
