import type { Layer } from "../kernel/description.ts";

/** A protocol that agents use, whether or not it is spoken here. */
export interface CatalogueEntry {
  /** As the field spells it; a plugin's own id may differ (`web_bot_auth` is `web-bot-auth` here). */
  readonly id: string;
  readonly name: string;
  /** Newest first; of a protocol that is spoken here, exactly the versions that its plugin speaks. */
  readonly versions: readonly string[];
  readonly layer: Layer;
  readonly publisher: string;
  /** Where it is described. */
  readonly link: string;
}

/**
 * The protocols catalogue, by layer and id. What is listed here and spoken by no plugin shows what is still to come; what
 * a plugin speaks and nobody lists here is a mistake that the listing shows (PLG-5).
 */
export const PROTOCOL_CATALOGUE: readonly CatalogueEntry[] = [
  {
    id: "a2a",
    name: "Agent2Agent",
    versions: ["1.0"],
    layer: "transport",
    publisher: "A2A project, Linux Foundation",
    link: "https://a2a-protocol.org",
  },
  {
    id: "mcp",
    name: "Model Context Protocol",
    versions: ["2026-07-28", "2025-11-25"],
    layer: "transport",
    publisher: "Model Context Protocol project",
    link: "https://modelcontextprotocol.io",
  },
  {
    id: "pact",
    name: "Personal Agent Consent & Trust",
    versions: ["1.0"],
    layer: "consent",
    publisher: "Decagon and Instinct",
    link: "https://openpactprotocol.org",
  },
  {
    id: "pap",
    name: "Personal Agent Protocol",
    versions: ["1.0", "0.4"],
    layer: "consent",
    publisher: "Sierra and Meta",
    link: "https://poppy.md",
  },
  {
    id: "tap",
    name: "Trusted Agent Protocol",
    // Its publisher numbers no versions.
    versions: ["unnumbered"],
    layer: "identity",
    publisher: "Visa",
    link: "https://developer.visa.com/capabilities/trusted-agent-protocol",
  },
  {
    id: "web-bot-auth",
    name: "Web Bot Auth",
    versions: ["draft-ietf-webbotauth-httpsig-protocol-00"],
    layer: "identity",
    publisher: "IETF working group webbotauth",
    link: "https://datatracker.ietf.org/doc/draft-ietf-webbotauth-httpsig-protocol/",
  },
  {
    id: "acp",
    name: "Agentic Commerce Protocol",
    versions: ["2026-04-17"],
    layer: "commerce",
    publisher: "OpenAI and Stripe",
    link: "https://github.com/agentic-commerce-protocol/agentic-commerce-protocol",
  },
  {
    id: "ap2",
    name: "Agent Payments Protocol",
    versions: ["0.2"],
    layer: "commerce",
    publisher: "Google",
    link: "https://github.com/google-agentic-commerce/AP2",
  },
  {
    id: "ucp",
    name: "Universal Commerce Protocol",
    versions: ["2026-08-25"],
    layer: "commerce",
    publisher: "Google, with Shopify and retailers",
    link: "https://ucp.dev",
  },
  {
    id: "acp-client",
    name: "Agent Client Protocol",
    versions: ["1"],
    layer: "runtime",
    publisher: "Agent Client Protocol project",
    link: "https://agentclientprotocol.com",
  },
  {
    id: "ag-ui",
    name: "AG-UI",
    versions: ["1.0"],
    layer: "runtime",
    publisher: "CopilotKit",
    link: "https://docs.ag-ui.com",
  },
  {
    id: "ai-sdk",
    name: "Vercel AI UI message stream",
    versions: ["1"],
    layer: "runtime",
    publisher: "Vercel",
    link: "https://ai-sdk.dev",
  },
];
