import { readFileSync } from "node:fs";
import { bindings } from "@countersign/plugin";
import { expect, it } from "vitest";
import { settingsSchema } from "./settings.ts";

// What an operator copies from the pages is taken as it stands, but for what only they can know.

const DIGEST = "A".repeat(43);

function blocks(page: string): readonly string[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = ""]) =>
    block.replaceAll('"digest": "..."', `"digest": "${DIGEST}"`),
  );
}

it.each(["mcp-client.md", "a2a-client.md"])("docs/%s names a destination as the settings take one", (page) => {
  const named = blocks(page).filter((block) => block.includes('"destinations"'));
  expect(named).toHaveLength(1);
  const read = settingsSchema.safeParse(JSON.parse(named[0] ?? ""));
  expect(read.error?.issues ?? []).toEqual([]);
});

it("docs/mcp-client.md binds an order as bindings are read", () => {
  const bound = blocks("mcp-client.md").filter((block) => block.includes('"read_back"'));
  expect(bound).toHaveLength(1);
  const read = bindings.safeParse(JSON.parse(bound[0] ?? ""));
  expect(read.error?.issues ?? []).toEqual([]);
});
