export interface OutsideAnswer {
  readonly code: string;
  readonly state: string;
  readonly iss?: string;
}

let held: OutsideAnswer | undefined;

/** Pure: what an outside provider's address says; undefined where it refused, or says nothing that could be an answer. */
export function readOutsideAnswer(query: string): OutsideAnswer | undefined {
  const said = new URLSearchParams(query);
  const [code, state, iss] = [said.get("code"), said.get("state"), said.get("iss")];
  if (!code || !state) return undefined;
  return { code, state, ...(iss ? { iss } : {}) };
}

/** Takes the provider's answer out of the address bar before anything is drawn; it is of use once, to this browser. */
export function captureOutsideAnswer(): void {
  if (location.pathname !== "/outside-sign-in" || location.search === "") return;
  held = readOutsideAnswer(location.search);
  history.replaceState(null, "", "/outside-sign-in");
}

/** The answer, once: drawing the page twice must not send it twice. */
export function takeOutsideAnswer(): OutsideAnswer | undefined {
  const answer = held;
  held = undefined;
  return answer;
}
