import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { publishedSchemas } from "./schemas.ts";

const folder = fileURLToPath(new URL("../../schemas/", import.meta.url));

it("REQ-7 the committed JSON Schemas are what the code generates", () => {
  const made = publishedSchemas();
  expect(readdirSync(folder).sort()).toEqual([...made.keys()].sort());
  for (const [name, text] of made) expect(readFileSync(folder + name, "utf8"), name).toBe(text);
});

it("REQ-3 unknown members are refused by the published schemas too", () => {
  for (const [name, text] of publishedSchemas()) {
    if (name.endsWith(".result.json")) continue;
    expect(text, name).toContain('"additionalProperties": false');
  }
});
