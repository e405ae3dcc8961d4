import type { Catalogue, Operation } from "./model.ts";
import { retailOrderSubmit } from "./operations/retail.order.submit.ts";
import { retailOrdersList } from "./operations/retail.orders.list.ts";
import { subscriptionCancel } from "./operations/subscription.cancel.ts";

/** Every operation that ships with the profile. */
export const OPERATIONS: readonly Operation[] = [retailOrdersList, retailOrderSubmit, subscriptionCancel];

export function buildCatalogue(operations: readonly Operation[]): Catalogue {
  const catalogue = new Map<string, Operation>();
  for (const operation of operations) {
    if (catalogue.has(operation.id)) throw new Error(`operation ${operation.id} is defined twice`);
    catalogue.set(operation.id, operation);
  }
  return catalogue;
}
