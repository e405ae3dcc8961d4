/** The practice person as a site knows them. */
export interface PracticeUser {
  readonly email: string;
  readonly password: string;
  /** Base32, as an authenticator app takes it. */
  readonly totpSecret: string;
  readonly name: string;
}

/** The documented practice person. These are no secrets: they open nothing but practice sites on this machine. */
export const PRACTICE_USER: PracticeUser = {
  email: "alex@practice.example",
  password: "correct-practice-horse",
  totpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  name: "Alex Example",
};
