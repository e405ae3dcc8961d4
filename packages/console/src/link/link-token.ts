let held = "";

/**
 * Takes the token of a sign-in link out of the address bar: before anything is drawn, so that it is in no history entry,
 * no screenshot and no copied address any longer than a script needs to start.
 */
export function captureLinkToken(): void {
  if (location.pathname !== "/link" || location.hash === "") return;
  held = location.hash.slice(1);
  history.replaceState(null, "", "/link");
}

/** The token of the link that this page was opened with; empty without one. It is in memory only. */
export function linkToken(): string {
  return held;
}

/** Takes the token out of a link that the person pasted: the whole address, or the token alone. False where there is none. */
export function holdPastedLink(text: string): boolean {
  const token = text.trim().split("#").at(-1) ?? "";
  if (!/^[A-Za-z0-9_-]{20,100}$/.test(token)) return false;
  held = token;
  return true;
}
