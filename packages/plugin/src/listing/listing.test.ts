import type { Application } from "@countersign/profile";
import { describe, expect, it } from "vitest";
import { bare, CANARY, describing, guest, kernelOf, signer } from "../../test/support/sample.ts";
import { buildProtocols, type Kernel, type ProtocolDescription } from "../index.ts";
import { type CatalogueEntry, PROTOCOL_CATALOGUE } from "./catalogue.ts";
import { byLayer, listProtocols, missingProtocols } from "./listing.ts";

const CATALOGUE: readonly CatalogueEntry[] = ["mcp", "pap", "pact", "a2a"].map((id) => ({
  id,
  name: `The ${id}`,
  versions: ["1.0"],
  layer: "transport",
  publisher: "nobody",
  link: "https://example.org",
}));

function speaking(...ids: readonly string[]): Kernel {
  const plugins = ids.map((id) => bare(`protocol.${id}`, { describes: describing(id, []) }));
  const built = buildProtocols(plugins);
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  return built.kernel;
}

const everything: Application = {
  name: "Errands",
  mcp: {
    connections: [
      { name: "tickets", url: "https://mcp.example" },
      { name: "files", program: "files" },
    ],
  },
  pap: { companies: ["lindenhof.example"], company: "errands.example" },
  pact: { brands: [{ name: "Harbour Tea", card: "https://desk.example/card" }] },
  a2a: { extensions: [{ uri: "urn:example:gifts", description: "Gifts", required: false }] },
};

describe("PLG-5 the listing", () => {
  it("PLG-5 without an application: one line a plugin, none marked, by layer and id whatever the order of the set", () => {
    const [one, other] = [speaking("mcp", "a2a", "pap"), speaking("pap", "a2a", "mcp")].map((k) => listProtocols(k));
    expect(one).toEqual(other);
    expect(one?.map(({ id, plugin, evidence }) => [id, plugin, evidence])).toEqual([
      ["a2a", "protocol.a2a", undefined],
      ["mcp", "protocol.mcp", undefined],
      ["pap", "protocol.pap", undefined],
    ]);
  });

  it("PLG-5 with an application: each used one has one sentence of evidence, an unused one stays unmarked", () => {
    const lines = listProtocols(speaking("mcp", "pap", "pact", "a2a", "quiet"), everything);
    expect(Object.fromEntries(lines.map(({ id, evidence }) => [id, evidence]))).toEqual({
      mcp: "It reaches 2 connections: tickets and files.",
      pap: "It is the company errands.example, and a personal agent at lindenhof.example.",
      pact: "It is a personal agent at 1 Brand: Harbour Tea.",
      a2a: "It publishes this card extension: urn:example:gifts.",
      quiet: undefined,
    });
  });

  it.each<[string, Application["pap"], string | undefined]>([
    [
      "a personal agent",
      { companies: ["a.example", "b.example"] },
      "It is a personal agent at a.example and b.example.",
    ],
    ["a company", { company: "me.example" }, "It is the company me.example."],
    ["nobody's agent", { companies: [] }, undefined],
    ["neither", undefined, undefined],
  ])("PLG-5 PAP, being %s", (_title, pap, sentence) => {
    const application: Application = pap === undefined ? { name: "x" } : { name: "x", pap };
    expect(listProtocols(speaking("pap"), application)[0]?.evidence).toBe(sentence);
  });

  it("PLG-5 no line holds anything of a contribution: not its value, not its name, not where it stands", () => {
    const kernel = kernelOf(guest("host.vault", signer, { order: 7, id: "vault-key-17", text: "vault.internal:8200" }));
    const text = JSON.stringify([listProtocols(kernel), listProtocols(kernel, everything)]);
    for (const secret of [CANARY, "vault", "8200", "host."]) expect(text).not.toContain(secret);
    expect(text).toContain("sample.signer");
  });

  it("PLG-5 a sentence stays one that can be read", () => {
    const connections = Array.from({ length: 40 }, (_, at) => ({ name: `c${at}`, url: "https://a.example" }));
    const [line] = listProtocols(speaking("mcp"), { name: "x", mcp: { connections } });
    expect(line?.evidence).toBe("It reaches 40 connections: c0, c1, c2, c3, c4 and 35 more.");
  });

  it("PLG-5 what an application uses and nobody here speaks is told, with the same evidence", () => {
    expect(missingProtocols(speaking("mcp", "a2a"), everything, CATALOGUE)).toEqual([
      {
        id: "pap",
        name: "The pap",
        evidence: "It is the company errands.example, and a personal agent at lindenhof.example.",
      },
      { id: "pact", name: "The pact", evidence: "It is a personal agent at 1 Brand: Harbour Tea." },
    ]);
    expect(missingProtocols(speaking(), { name: "x" })).toEqual([]);
  });

  it("PLG-3 PLG-5 a plugin whose entry the catalogue lacks, or has in other versions, shows as such", () => {
    const lines = listProtocols(speaking("mcp", "stranger"), undefined, CATALOGUE);
    expect(lines.map(({ id, entry }) => [id, entry])).toEqual([
      ["mcp", "known"],
      ["stranger", "unknown"],
    ]);
    const newer: readonly CatalogueEntry[] = CATALOGUE.map((e) => ({ ...e, versions: ["2.0", "1.0"] }));
    expect(listProtocols(speaking("mcp"), undefined, newer)[0]?.entry).toBe("other_versions");
  });

  it("PLG-3 nobody speaks for a protocol of another plugin, with points or without", () => {
    const built = buildProtocols(
      ["protocol.pact", "other.pact"].map((id) => bare(id, { describes: describing("pact", []) })),
    );
    expect(!built.ok && built.problems.map(({ code, message }) => [code, message])).toEqual([
      ["description_twice", "other.pact and protocol.pact both describe pact"],
    ]);
  });
});

describe("PLG-5 the catalogue", () => {
  it("PLG-5 names every protocol of the plan, each once, by layer and id, with a place to read about it", () => {
    expect(PROTOCOL_CATALOGUE.map((e) => e.id)).toEqual([
      ...["a2a", "mcp", "pact", "pap", "tap", "web-bot-auth"],
      ...["acp", "ap2", "ucp", "acp-client", "ag-ui", "ai-sdk"],
    ]);
    expect([...PROTOCOL_CATALOGUE].sort(byLayer)).toEqual(PROTOCOL_CATALOGUE);
    for (const entry of PROTOCOL_CATALOGUE) {
      expect(entry.versions.length, entry.id).toBeGreaterThan(0);
      expect(new URL(entry.link).protocol, entry.id).toBe("https:");
      // The same rules as for what a plugin says of itself.
      const described: Omit<ProtocolDescription, "points" | "roles" | "state" | "libraries" | "catalogue"> = entry;
      expect(described.name.trim()).not.toBe("");
    }
  });
});
