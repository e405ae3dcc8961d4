import { lazy, Suspense } from "react";
import { Loading } from "./loading.tsx";

/** Most of the time somebody is signed in: the ways in come with a file of their own. */
const SignInBox = lazy(async () => ({ default: (await import("../sign-in/sign-in-box.tsx")).SignInBox }));

/** In the place of whatever was asked for: signing in leads there. */
export function SignedOut() {
  return (
    <Suspense fallback={<Loading />}>
      <SignInBox />
    </Suspense>
  );
}
