import { err, isJsonObject, type JsonObject, ok, type Result } from "@countersign/wire";
import { cardOf, SKILLS } from "../card/card.ts";
import { KEYS_PATH } from "../card/served.ts";
import { signCard } from "../card/sign.ts";
import { type A2aError, refusedByGateway } from "../wire/errors.ts";
import type { Call } from "./call.ts";

/** The card for this caller: a skill more for each operation that a grant of theirs allows now. */
export async function extendedCard(call: Call): Promise<Result<JsonObject, A2aError>> {
  const consents = await call.host.port.consents(call.caller);
  if (!consents.ok) return err(refusedByGateway(consents.reason));
  const standing = consents.value["consents"];
  const granted = new Set(
    (Array.isArray(standing) ? standing : []).flatMap((one) =>
      isJsonObject(one) && Array.isArray(one["operations"]) ? one["operations"] : [],
    ),
  );
  const { facts, keys } = call.door.card();
  const skills = [...granted]
    .filter((id) => typeof id === "string")
    .sort()
    .flatMap((id) => operationSkill(call, id));
  return ok(await signCard(cardOf(facts, [...SKILLS, ...skills]), keys, `${facts.issuer}${KEYS_PATH}`));
}

function operationSkill(call: Call, id: string): readonly JsonObject[] {
  const operation = call.host.catalogue.get(id);
  if (operation === undefined) return [];
  const what = operation.effect === "read" ? "Reads at the destination" : "Asks for it as a task that is decided on";
  return [
    {
      id,
      name: operation.title,
      description: `${operation.title}. ${what}; send it by the skill "act", with parameters as the skill "capabilities" describes them.`,
      tags: ["account", operation.effect],
      inputModes: ["application/json"],
      outputModes: ["application/json"],
    },
  ];
}
