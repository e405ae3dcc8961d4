import { isJsonObject, type JsonObject, SiteTrouble } from "@countersign/plugin/site";
import type { HttpSession } from "@countersign/route-http";
import { z } from "zod";
import { SHOP_API } from "./documents.ts";

/** What came of a mutation that the shop answers in a union: the type's name, and its own code where it refuses. */
const outcomeShape = z.object({ __typename: z.string(), errorCode: z.string().optional() });

/**
 * Asks one document. An ended session is no status at this API but an `activeCustomer` that is null: whoever asks looks.
 * @throws SiteTrouble for anything but data of this shape without errors.
 */
export async function ask<T>(
  session: HttpSession,
  query: string,
  variables: JsonObject,
  shape: z.ZodType<T>,
): Promise<T> {
  const answer = await session.fetch(SHOP_API, { method: "POST", body: { query, variables } });
  // Vendure does not answer so by itself; something before it may.
  if (answer.kind === "signed_out") throw new SiteTrouble("the shop's API answered 401");
  const json =
    answer.status === 200 && answer.json !== undefined && isJsonObject(answer.json) ? answer.json : undefined;
  const parsed = json === undefined || json["errors"] !== undefined ? undefined : shape.safeParse(json["data"]);
  if (!parsed?.success) throw new SiteTrouble(`the shop's API answered ${answer.status} with something else`);
  return parsed.data;
}

/** @returns the shop's own code when it does not do it; undefined when it did. */
export async function change(
  session: HttpSession,
  query: string,
  member: string,
  variables: JsonObject = {},
): Promise<string | undefined> {
  const data = await ask(session, query, variables, z.record(z.string(), outcomeShape));
  const outcome = data[member];
  if (outcome === undefined) throw new SiteTrouble("the shop's API answered something else");
  return outcome.__typename === "Order" ? undefined : (outcome.errorCode ?? "UNKNOWN");
}
