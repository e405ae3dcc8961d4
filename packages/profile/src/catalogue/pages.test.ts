import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "./catalogue.ts";
import { GAPS } from "./gaps.ts";
import { exportNameOf, listFile } from "./list.ts";
import { cataloguePages } from "./pages.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const docs = here("../../../../docs/catalogue/");

describe("REQ-7 what `npm run catalogue` writes is up to date", () => {
  it("the list of operations", () => {
    expect(readFileSync(here("./all.ts"), "utf8")).toBe(listFile(readdirSync(here("./operations/"))));
    expect(exportNameOf("retail.order.submit.ts")).toBe("retailOrderSubmit");
  });

  it("the pages: one for each operation, and one for all", () => {
    const pages = cataloguePages();
    expect(readdirSync(docs).sort()).toEqual([...pages.keys()].sort());
    for (const [name, text] of pages) expect(readFileSync(docs + name, "utf8"), name).toBe(text);
  });

  it("every link of a page leads somewhere", () => {
    for (const [name, text] of cataloguePages())
      for (const [, target = ""] of text.matchAll(/\]\(([\w./-]+)\)/g))
        expect(() => readdirOrRead(docs + target), `${name}: ${target}`).not.toThrow();
  });

  it("what is missing is said of operations that there are", () => {
    const ids = OPERATIONS.map(({ id }) => id);
    for (const [id, words] of Object.entries(GAPS)) {
      expect(ids).toContain(id);
      expect(words).toMatch(/^[A-Z].+\.$/);
    }
  });
});

function readdirOrRead(path: string): unknown {
  return path.endsWith("/schemas") ? readdirSync(path) : readFileSync(path);
}
