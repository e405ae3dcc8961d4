import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { displayText, makeDisclosure, PROFILE_ID, retailOrderSubmit } from "@countersign/profile";
import { digestOf, type JsonObject } from "@countersign/wire";

const ORIGIN = "https://shop.example";
const SALTS = ["AAAAAAAAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBBBBBBBA"] as const;

export const SHIP_TO = "Alex Example, 1 Long Lane, 10115 Berlin, DE";

export const ORDER_TERMS: JsonObject = {
  payee: "shop.example",
  currency: "EUR",
  minor_digits: 2,
  total_minor: 4990,
  lines: [
    { kind: "item", ref: "TL-200", title: "Trail Lamp 200", quantity: 1, unit_minor: 4490 },
    { kind: "delivery", ref: "delivery_demo", title: "Delivery", quantity: 1, unit_minor: 500 },
  ],
  instrument: "card ending 4242",
  fulfillment_ref: "delivery_demo",
};

/** An approval view whose digests hold together, as the gateway makes it; each part can be replaced by a test. */
export async function approvalView(options: {
  readonly id: string;
  readonly terms?: JsonObject;
  readonly shipTo?: string;
  readonly expiresAt: string;
  readonly change?: Partial<ApprovalView>;
}): Promise<ApprovalView> {
  const { meaning } = retailOrderSubmit;
  const terms = options.terms ?? ORDER_TERMS;
  const personal = { ship_to: options.shipTo ?? SHIP_TO };
  const texts = { display_text: displayText(meaning, terms, personal), ...personal };
  const made = await Promise.all(
    Object.entries(texts).map(async ([name, value], i) => ({
      name,
      ...(await makeDisclosure({ salt: SALTS[i] ?? SALTS[0], name, value })),
    })),
  );
  const taskId = options.id.replace("act_", "task_");
  const action: JsonObject = {
    typ: "countersign.action/1",
    profile: PROFILE_ID,
    issuer: "http://localhost:4600",
    action_id: options.id,
    task_id: taskId,
    nonce: SALTS[0],
    created_at: "2026-11-30T10:00:00Z",
    expires_at: options.expiresAt,
    account_holder: "holder_1",
    account_ref: "acc_1",
    consent_ref: "cons_1",
    agent: "agent_errand",
    request_digest: await digestOf({ any: "request" }),
    operation: retailOrderSubmit.id,
    parameters: {
      item_ref: "TL-200",
      quantity: 1,
      max_total_minor: 5500,
      currency: "EUR",
      fulfillment_ref: "delivery_demo",
    },
    limits: { max_total_minor: 5500, currency: "EUR" },
    route: { kind: "browser", origin: ORIGIN, adapter: "practice-shop" },
    terms,
    private: Object.fromEntries(made.map((m) => [m.name, m.digest])),
    observed: { at: "2026-11-30T10:00:00Z", state_digest: await digestOf({}) },
    uses: 1,
  };
  return {
    action_id: options.id,
    task_id: taskId,
    action,
    action_digest: await digestOf(action),
    disclosures: made.map((m) => m.disclosure),
    meaning,
    operation_title: retailOrderSubmit.title,
    agent: "Errand agent",
    account: { name: "Alex Example", destination_title: "Practice shop", origin: ORIGIN },
    policy: "session",
    status: "pending",
    task_state: "approval_required",
    ...options.change,
  };
}
