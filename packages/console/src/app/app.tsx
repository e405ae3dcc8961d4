import type { SessionView } from "@countersign/gateway/trusted-contract";
import { lazy, Suspense } from "react";
import { M } from "../messages.ts";
import { Go, Loading } from "../parts/page.tsx";
import { useLoad } from "../server/use-load.ts";
import { Guard } from "./guard.tsx";
import { Nav, SignOut } from "./nav.tsx";
import { PageOf } from "./pages.tsx";
import { type Place, placeOf, usePath } from "./router.ts";

/**
 * Where one thing is to be done there is nothing else to press: no navigation beside a decision or somebody's sign-in,
 * and all of a phone's screen for it. The name at the top leads back.
 */
const ALONE: readonly Place["page"][] = [
  "link",
  "outside",
  "returned",
  "approval",
  "continuation",
  "authorize",
  "device",
];

/** Where somebody is just signing in, nobody is asked for yet. */
const BEFORE: readonly Place["page"][] = ["link", "outside"];

export function App() {
  const path = usePath();
  const place = placeOf(path);
  return BEFORE.includes(place.page) ? <Frame path={path} place={place} /> : <Gate path={path} place={place} />;
}

/** Who is signed in already does not wait for it. */
const SignInPage = lazy(async () => ({ default: (await import("../sign-in/sign-in-page.tsx")).SignInPage }));

interface Where {
  readonly path: string;
  readonly place: Place;
}

/** Whoever is signed out signs in in the place of the page that they asked for, and is there afterwards. */
function Gate(where: Where) {
  const session = useLoad<SessionView>("/session");
  if (session.problem !== "unauthenticated") return <Frame {...where} />;
  return (
    <Suspense fallback={<Waiting />}>
      <SignInPage />
    </Suspense>
  );
}

function Frame({ path, place }: Where) {
  const alone = ALONE.includes(place.page);
  return (
    <div className={alone ? "frame alone" : "frame"}>
      <Skip />
      <header>
        {BEFORE.includes(place.page) ? (
          <span className="brand">{M.brand}</span>
        ) : (
          <Go to="/" className="brand">
            {M.brand}
          </Go>
        )}
        {alone ? null : (
          <>
            <Nav path={path} />
            <SignOut />
          </>
        )}
        {place.page === "approval" || place.page === "continuation" ? <Go to="/">{M.toInbox}</Go> : null}
      </header>
      <Guard key={path}>
        <Suspense fallback={<Waiting />}>
          <PageOf place={place} />
        </Suspense>
      </Guard>
    </div>
  );
}

function Waiting() {
  return (
    <main id="main">
      <Loading />
    </main>
  );
}

/** Straight to the page's title. No link: a fragment in the address would take the focus again at each way back. */
function Skip() {
  return (
    <button type="button" className="skip" onClick={() => document.querySelector<HTMLElement>("h1")?.focus()}>
      {M.skip}
    </button>
  );
}
