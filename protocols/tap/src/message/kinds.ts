/** What a signed request is: looking, or paying. */
export type Kind = "browsing" | "paying";

export const TAGS: Readonly<Record<Kind, string>> = {
  browsing: "agent-browser-auth",
  paying: "agent-payer-auth",
};

export function kindOf(tag: unknown): Kind | undefined {
  if (tag === TAGS.browsing) return "browsing";
  return tag === TAGS.paying ? "paying" : undefined;
}
