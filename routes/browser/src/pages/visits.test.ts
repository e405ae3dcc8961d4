import { SiteTrouble } from "@countersign/plugin";
import { describe, expect, it } from "vitest";
import type { BrowserSession } from "../session/session.ts";
import { createVisits } from "./visits.ts";

const { onPage } = createVisits({ signInPath: "/login", site: "the site" });
const session = (throttled: "throttled" | "free") =>
  ({ seen429: () => throttled === "throttled" }) as unknown as BrowserSession;
const failing = (error: Error) => async () => {
  throw error;
};

describe("what is told of a page that did not do as it was asked", () => {
  it("keeps an adapter's own words, and none of the page's", async () => {
    const own = new SiteTrouble("the site shows half a list");
    await expect(onPage(session("free"), failing(own))).rejects.toBe(own);
    const quoting = new Error('waiting for "Alex Example"');
    await expect(onPage(session("free"), failing(quoting))).rejects.toThrow(
      "the site's page did not do as it was asked",
    );
  });

  it("MAP-7 is that the site asks to come more slowly, where it has: what such a page lacks is not looked into", async () => {
    const lacking = new SiteTrouble("the site shows half a list");
    await expect(onPage(session("throttled"), failing(lacking))).rejects.toThrow("the site asks to come more slowly");
  });
});
