import { PROFILE_ID } from "@countersign/profile";
import { formatInstant, instant, type JsonObject } from "@countersign/wire";
import { LAMP, ORDER, ORDERS_LIST } from "../shop/practice.ts";

export interface Refs {
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
}

const LIFE_MS = 2 * 3_600_000;
const ROOM_MINOR = 1_000;

export function inMs(ms: number): string {
  return formatInstant(instant(Date.now() + ms));
}

/** A request for one lamp; `change` replaces members, `parameters` member by member. */
export function orderRequest(refs: Refs, change: JsonObject = {}): JsonObject {
  return request(refs, ORDER, {
    ...change,
    parameters: {
      item_ref: LAMP.sku,
      quantity: 1,
      // No two wishes of a run are equal by chance: an equal one under another key may be held (STA-7).
      max_total_minor: LAMP.totalMinor + ROOM_MINOR + nextNumber(),
      currency: LAMP.currency,
      fulfillment_ref: refs.fulfillmentRef,
      ...objectOf(change["parameters"]),
    },
  });
}

export function listRequest(refs: Refs, change: JsonObject = {}): JsonObject {
  return request(refs, ORDERS_LIST, { ...change, parameters: { limit: 5, ...objectOf(change["parameters"]) } });
}

function request(refs: Refs, operation: string, rest: JsonObject): JsonObject {
  return {
    profile: PROFILE_ID,
    request_id: `req_${crypto.randomUUID()}`,
    idempotency_key: `key_${crypto.randomUUID()}`,
    account_ref: refs.accountRef,
    consent_ref: refs.consentRef,
    operation,
    expires_at: inMs(LIFE_MS),
    ...rest,
  };
}

let last = 0;
function nextNumber(): number {
  last += 1;
  return last;
}

export function objectOf(value: JsonObject[string] | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The same request without one member. */
export function without(from: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name !== member));
}
