import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromKernel } from "@countersign/gateway";
import { assert, type JsonObject } from "@countersign/wire";
import { afterAll, expect, it } from "vitest";
import { readDestinations } from "./called-destinations.ts";
import { settingsSchema } from "./settings.ts";
import { shippedKernel } from "./shipped.ts";

const folder = mkdtempSync(join(tmpdir(), "countersign-called-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const from = (pointer: string) => ({ $from: pointer });
const call = (name: string) => ({ name, digest: "A".repeat(43) });
const outcome = { confirmation: from("/answer/number"), result: { number: from("/answer/number") } };
const bindings: JsonObject = {
  identity: { call: call("whoami"), name: from("/answer/name") },
  commits: [
    {
      operation: "subscription.cancel",
      terms: { call: call("look"), terms: { payee: from("/destination/host") } },
      commit: { call: call("cancel"), confirmed: outcome },
      read_back: {
        call: call("list"),
        match: [{ value: from("/item/state"), is: "over" }],
        found: { confirmation: from("/item/number"), result: {} },
      },
    },
  ],
};

it("MAP-5 destinations that are called fit into the set of plugins that a gateway starts with", async () => {
  writeFileSync(join(folder, "bound.json"), JSON.stringify(bindings));
  writeFileSync(join(folder, "secret"), "registered-by-hand");
  const settings = settingsSchema.parse({
    destinations: [
      {
        id: "the-shop",
        origin: "https://shop.example",
        mcp: {
          signIn: { kind: "oauth", clientId: "us", clientSecretFile: "secret" },
          bindingsFile: "bound.json",
        },
      },
      { id: "other-shop", origin: "https://other.example", mcp: { signIn: { kind: "token" }, bindings } },
      { id: "2-agents", origin: "https://agent.example", a2a: { bindings: { ...bindings, identity: "by_token" } } },
    ],
  });
  const read = await readDestinations(settings.destinations, folder);
  assert(read.ok, read.ok ? "" : read.reason);
  const kernel = shippedKernel({ chromium: "", sandbox: "on", sites: read.value.sites }, folder);
  assert(kernel.ok, kernel.ok ? "" : kernel.reason);
  const { sites = [] } = fromKernel(kernel.value);
  for (const { site } of read.value.settings) expect(sites.map(({ id }) => id)).toContain(site);
});
