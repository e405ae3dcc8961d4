import type { AccountView } from "@countersign/gateway/trusted-contract";
import { expect, it } from "vitest";
import { canServe, waysAsked } from "./ways.ts";

it("a way that the agent did not ask for is not offered, nor one that there is not", () => {
  expect(waysAsked({ available_routes: ["http", "browser"], asked: { routes: ["browser", "post"] } })).toEqual([
    "browser",
  ]);
});

it("an account serves a grant when it is signed in by a way that was asked for", () => {
  const account = (...connections: readonly (readonly [route: string, state: string])[]) =>
    ({ connections: connections.map(([route, state]) => ({ route, state })) }) as unknown as AccountView;
  expect(canServe(account(["http", "connected"]), ["browser"])).toBe(false);
  expect(canServe(account(["browser", "reauthentication_required"]), ["browser"])).toBe(false);
  expect(canServe(account(["http", "disconnected"], ["browser", "connected"]), ["browser"])).toBe(true);
});
