import { type Attempt, ok, SiteTrouble } from "@countersign/plugin/site";
import { type BrowserSession, createVisits, pathOf } from "@countersign/route-browser";
import { CLICK_TAKES_MS, CLICKS_MAX } from "./limits.ts";

// The account's pages lead a signed-out person to the sign-in page; `/cart` and `/checkout` do not.
export const { visit, onPage, isSignIn } = createVisits({ signInPath: "/account/login", site: "the shop" });

/** Whether somebody is signed in: the one page that leads away when nobody is. */
export function signedIn(session: BrowserSession): Promise<Attempt<void>> {
  return visit(session, "/account", async (page) => {
    if (pathOf(page) !== "/account") throw new SiteTrouble("the shop did not show the account");
    return ok(undefined);
  });
}

/** Presses until it shows: the shop's pages stand there before their script takes clicks. `press` must bear repeating. */
export async function pressUntil(press: () => Promise<void>, shows: (timeoutMs: number) => Promise<void>) {
  for (let tries = 1; ; tries++) {
    await press();
    try {
      return await shows(CLICK_TAKES_MS);
    } catch (error) {
      if (tries >= CLICKS_MAX) throw error;
    }
  }
}
