import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "@countersign/wire";
import { isSpecType, type specTypeSchemas } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { readTool } from "./tool.ts";

interface Fixture {
  readonly exchanges: readonly { readonly name: string; readonly answer: JsonObject }[];
  readonly reading: {
    readonly tools: Json;
    readonly refused_tools: readonly string[];
    readonly refused_calls: readonly string[];
  };
}
const fixture = JSON.parse(readFileSync(new URL("../../fixtures/session.json", import.meta.url), "utf8")) as Fixture;

it("PLG-12 a listing is read with the specification's defaults for absent hints", () => {
  const listed = fixture.exchanges.find((e) => e.name === "list")?.answer["tools"] as readonly JsonObject[];
  const read = listed.map(readTool);
  expect(read.filter((tool) => tool !== undefined)).toEqual(fixture.reading.tools);
  expect(listed.filter((_, at) => read[at] === undefined).map((tool) => tool["name"])).toEqual(
    fixture.reading.refused_tools,
  );
});

it("PLG-12 the protocol's own library takes the answers for what they are called", () => {
  const types = {
    call: "CallToolResult",
    refusal: "CallToolResult",
    resource: "ReadResourceResult",
    prompt: "GetPromptResult",
  };
  for (const { name, answer } of fixture.exchanges) {
    const type = types[name as keyof typeof types];
    if (type !== undefined)
      expect([name, isSpecType[type as keyof typeof specTypeSchemas](answer)]).toEqual([name, true]);
    expect([name, answer["isError"] === true]).toEqual([name, fixture.reading.refused_calls.includes(name)]);
  }
});

it("what is no tool is read as none", () => {
  for (const odd of [null, "tool", [], {}, { name: "" }, { name: "a b" }, { name: "x".repeat(129) }] as Json[])
    expect(readTool(odd)).toBeUndefined();
});
