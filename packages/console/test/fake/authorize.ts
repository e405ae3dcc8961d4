import type { AuthorizationView, ContactView } from "@countersign/gateway/trusted-contract";

export const CONTACT: ContactView = {
  channels: ["email", "webhook", "outbox"],
  email: { address: "alex@example.org" },
  pending: { address: "alex@new.example", expires_at: "2030-01-01T00:00:00Z" },
  unreached_by: ["webhook"],
};

const asked = {
  operations: ["retail.orders.list", "retail.order.submit"],
  routes: ["browser", "http"],
  limits: { max_total_minor: 6000, currency: "EUR" },
  expires_at: "2026-12-30T10:00:00Z",
} as const;

const shop = {
  id: "practice-shop",
  title: "Practice shop",
  origin: "https://shop.example",
  asked,
  available_operations: [
    { id: "retail.orders.list", title: "List orders", effect: "read" },
    { id: "retail.order.submit", title: "Place an order", effect: "commit" },
  ],
  available_routes: ["browser", "http"],
} as const;

/** One that comes from a site, one from a program of this machine, and a device with nothing it may have. */
export const AUTHORIZATIONS: readonly AuthorizationView[] = [
  {
    ref: "auth_site",
    client: {
      client_id: "https://agent.example/client.json",
      kind: "document",
      host: "agent.example",
      name: "Errand\u202Egpj",
    },
    returns_to: { kind: "site", origin: "https://agent.example" },
    is_agent: true,
    expires_at: "2030-01-01T00:00:00Z",
    state: "asked",
    by_name: false,
    destinations: [shop],
  },
  {
    ref: "auth_device",
    client: { client_id: "my-speaker", kind: "known", name: "Kitchen speaker" },
    returns_to: { kind: "device", address: "192.0.2.7", agent: "Speaker/2.1" },
    is_agent: false,
    expires_at: "2030-01-01T00:00:00Z",
    state: "asked",
    by_name: true,
    purpose: "Tea, once a month",
    destinations: [],
  },
  {
    ref: "auth_given",
    client: { client_id: "my-agent", kind: "known", name: "Desktop agent" },
    returns_to: { kind: "this_device" },
    is_agent: true,
    expires_at: "2030-01-01T00:00:00Z",
    state: "allowed",
    onward: "/oauth/authorize/given",
    by_name: false,
    destinations: [],
  },
];
