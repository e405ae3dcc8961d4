import type { ProtocolsView } from "@countersign/gateway/trusted-contract";

/** What a gateway says of its protocols: complete, in part, with other versions than the catalogue's, and unknown to it. */
export const PROTOCOLS: ProtocolsView = {
  protocols: [
    {
      plugin: "protocol.a2a",
      id: "a2a",
      name: "Agent2Agent Protocol",
      versions: ["1.0"],
      publisher: "Linux Foundation",
      layer: "transport",
      roles: ["server", "client"],
      state: "implemented",
      points: ["a2a.extension.orchestration", "a2a.extension.face", "a2a.extension.other"],
      catalogue: { id: "a2a", versions: ["1.0"] },
      entry: "known",
    },
    {
      plugin: "protocol.lending",
      id: "lending",
      name: "Lending \u202Eksed",
      versions: ["1.0"],
      publisher: "nobody: it is an example",
      layer: "transport",
      roles: ["client"],
      state: "draft",
      points: [],
      catalogue: { id: "lending-desk", versions: ["1.0"] },
      entry: "unknown",
    },
    {
      plugin: "protocol.mcp",
      id: "mcp",
      name: "Model Context Protocol",
      versions: ["2026-07-28", "2025-11-25"],
      publisher: "Model Context Protocol project",
      layer: "transport",
      roles: ["server"],
      state: "partial",
      points: ["mcp.extension.tasks", "mcp.extension.other"],
      catalogue: { id: "mcp", versions: ["2026-07-28", "2025-11-25"] },
      entry: "known",
    },
    {
      plugin: "protocol.web_bot_auth",
      id: "web_bot_auth",
      name: "Web Bot Auth",
      versions: ["draft-ietf-webbotauth-httpsig-protocol-01"],
      publisher: "IETF working group webbotauth",
      layer: "identity",
      roles: ["signer", "verifier", "directory"],
      state: "implemented",
      points: ["web_bot_auth.signer", "web_bot_auth.nonceStore"],
      catalogue: { id: "web-bot-auth", versions: ["draft-ietf-webbotauth-httpsig-protocol-01"] },
      entry: "other_versions",
    },
  ],
  catalogue: [
    entry("a2a", "Agent2Agent", ["1.0"], "transport", "A2A project, Linux Foundation"),
    entry("mcp", "Model Context Protocol", ["2026-07-28", "2025-11-25"], "transport", "Model Context Protocol project"),
    entry("pact", "Personal Agent Consent & Trust", ["1.0"], "consent", "Decagon and Instinct"),
    entry(
      "web-bot-auth",
      "Web Bot Auth",
      ["draft-ietf-webbotauth-httpsig-protocol-00"],
      "identity",
      "IETF working group webbotauth",
    ),
    entry("acp", "Agentic Commerce Protocol", ["2026-04-17"], "commerce", "OpenAI and Stripe"),
  ],
};

function entry(
  id: string,
  name: string,
  versions: readonly string[],
  layer: "transport" | "consent" | "identity" | "commerce",
  publisher: string,
): ProtocolsView["catalogue"][number] {
  return { id, name, versions, layer, publisher, link: `https://${id}.example` };
}
