import type { AuthorizationDestination } from "@countersign/gateway/trusted-contract";
import { expect, it } from "vitest";
import { localField } from "../consents/draft.ts";
import { openAnswer } from "./open-answer.ts";

const NOW = Date.parse("2026-11-30T20:00:00Z");
const destination = (expiresAt: string): AuthorizationDestination => ({
  id: "shop",
  title: "Shop",
  origin: "https://shop.example",
  asked: { operations: ["read", "act"], routes: ["http"], limits: {}, expires_at: expiresAt },
  available_operations: [
    { id: "read", title: "Read", effect: "read" },
    { id: "act", title: "Act", effect: "commit" },
  ],
  available_routes: ["http"],
});

it("opens with reading alone and a month, or what is left of less; a client that named things has them ticked", () => {
  const unnamed = (expiresAt: string) => openAnswer({ by_name: false }, destination(expiresAt), NOW);
  expect(unnamed("2027-11-30T20:00:00Z")).toMatchObject({
    operations: ["read"],
    until: localField("2026-12-30T20:00:00Z"),
  });
  expect(unnamed("2026-12-30T10:00:00Z").until).toBe(localField("2026-12-30T10:00:00Z"));
  const named = openAnswer({ by_name: true }, destination("2026-12-01T10:00:00Z"), NOW);
  expect(named.operations).toEqual(["read", "act"]);
});
