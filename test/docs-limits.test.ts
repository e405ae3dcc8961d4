import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as gateway from "../packages/gateway/src/limits.ts";
import * as profile from "../packages/profile/src/limits.ts";
import * as browser from "../routes/browser/src/limits.ts";
import * as http from "../routes/http/src/limits.ts";

const ROW = /^\| `([A-Z_]+)` \| (\d+) \|/gm;

it("docs/limits.md says what the code says", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "docs", "limits.md"), "utf8");
  const said = [...page.matchAll(ROW)].map(([, name = "", value]) => [name, Number(value)] as const);
  const held: Readonly<Record<string, unknown>> = { ...profile, ...browser, ...http, ...gateway };
  expect(said.length).toBe(page.match(/^\| `/gm)?.length);
  expect(said).toEqual(said.map(([name]) => [name, held[name]]));
});
