import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildConsole } from "./browser.ts";

/** What the whole console may weigh, and what comes before the first screen is drawn; gzip, as it would be sent. */
const ALL_BYTES_MAX = 250_000;
const FIRST_BYTES_MAX = 110_000;
const STYLE_BYTES_MAX = 12_000;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

let dist: string;
let manifest: Readonly<Record<string, Chunk>>;

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), "console-size-"));
  await buildConsole(dist);
  manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8")) as typeof manifest;
});
afterAll(() => {
  rmSync(dist, { recursive: true, force: true });
});

const weight = (file: string) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
const assets = (kind: string) => readdirSync(join(dist, "assets")).filter((name) => name.endsWith(kind));

/** A chunk with everything that it imports at once. */
function withImports(name: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const more of chunk.imports ?? []) withImports(more, seen);
  return seen;
}

it("all scripts together stay below their budget, and the first screen needs less than half of them", () => {
  const all = assets(".js").reduce((sum, name) => sum + weight(`assets/${name}`), 0);
  const entry = Object.entries(manifest).find(([, chunk]) => chunk.isEntry)?.[0] ?? "";
  const first = [...withImports(entry)].reduce((sum, file) => sum + weight(file), 0);
  const styles = assets(".css").reduce((sum, name) => sum + weight(`assets/${name}`), 0);
  console.info(`gzip: all scripts ${all}, first screen ${first}, styles ${styles}`);
  expect(all).toBeLessThan(ALL_BYTES_MAX);
  expect(first).toBeLessThan(FIRST_BYTES_MAX);
  expect(styles).toBeLessThan(STYLE_BYTES_MAX);
});

it("the verifier and the live view come only with the pages that need them", () => {
  const entry = Object.entries(manifest).find(([, chunk]) => chunk.isEntry)?.[0] ?? "";
  const first = [...withImports(entry)].map((file) => readFileSync(join(dist, file), "utf8")).join("\n");
  for (const mark of ["not_signed_by_pin", "screen-box", "countersign.bundle/1"]) expect(first).not.toContain(mark);
  const all = assets(".js").map((name) => readFileSync(join(dist, "assets", name), "utf8"));
  for (const mark of ["not_signed_by_pin", "screen-box"])
    expect(
      all.some((text) => text.includes(mark)),
      mark,
    ).toBe(true);
});
