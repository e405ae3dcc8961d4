import { expect, it } from "vitest";
import { isFollowable, readReturned } from "./returned.ts";

it("names the hand-off that an answer is for, and passes the whole answer on", () => {
  const answer = "?code=c1&state=cont_AbC.x-_9&iss=https%3A%2F%2Fauth.example";
  expect(readReturned(answer)).toEqual({ ref: "cont_AbC", answer });
  expect(readReturned("?error=access_denied&state=cont_AbC.x")).toMatchObject({ ref: "cont_AbC" });
});

it.each(["", "?code=c1", "?state=cont_AbC", "?state=..%2Ftasks.x", "?state=cont_A%2FB.x", "?state=.x", "?state=a.b.c"])(
  "%j is for no hand-off",
  (query) => {
    expect(readReturned(query)).toBeUndefined();
  },
);

it("U31 follows a link to a page of the web alone", () => {
  for (const good of ["https://auth.example/authorize?x=1", "http://127.0.0.1:4000/a", "http://localhost/a"])
    expect(isFollowable(good), good).toBe(true);
  for (const bad of [
    "javascript:alert(1)",
    "data:text/html,x",
    "http://auth.example/",
    "https://u:p@auth.example/",
    "/x",
  ])
    expect(isFollowable(bad), bad).toBe(false);
});
