import { currencyDigits, type JsonObject } from "@countersign/wire";
import { AMOUNTS_TRIED_MAX } from "../limits.ts";
import { sameJson } from "../stage/same.ts";
import { amountsOf } from "../stage/spoil.ts";
import type { Stage } from "../stage/stage.ts";

/**
 * U55: each amount of what was read is made unreadable where the site writes it. Whoever still reads something has
 * guessed, unless it is what stood there before: then it was read from another place.
 * @param read what comes of it, or undefined when nothing does.
 */
export async function spoiledAmounts(
  stage: Stage,
  operation: string,
  whole: JsonObject,
  read: (during: string) => Promise<JsonObject | undefined>,
): Promise<void> {
  const during = "an amount cannot be read";
  const judge = async (): Promise<void> => {
    const again = await read(during);
    if (again !== undefined && !sameJson(again, whole))
      stage.findings.broke("money", operation, during, "it makes an amount of it");
  };
  await stage.fresh();
  if (await stage.turnOn("unreadable_amount", operation)) return judge();
  const amounts = amountsOf(whole, (code) => {
    const digits = currencyDigits(code);
    return digits.ok ? digits.value : undefined;
  });
  if (amounts.length === 0) return;
  if (!stage.atWayOut)
    return void stage.findings.skipped(operation, "unreadable_amount", "the check's site has no switch for it");
  stage.findings.faultOn("unreadable_amount");
  for (const spoiling of amounts.slice(0, AMOUNTS_TRIED_MAX)) {
    await stage.fresh();
    stage.egress.weather = { kind: "unreadable_amount", spoiling };
    await judge();
  }
}
