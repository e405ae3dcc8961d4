import type { JsonObject } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check, NotApplicable } from "../check.ts";
import { LAMP, ORDER } from "../shop/practice.ts";
import { inMs } from "../stage/requests.ts";
import type { Scene } from "../stage/scene.ts";

const HOUR_MS = 3_600_000;
const LIMITS: readonly (readonly [string, JsonObject])[] = [
  ["one action a day", { periods: { day: { max_actions: 1 } } }],
  [
    "less than two lamps a day",
    { periods: { day: { max_total_minor: 2 * LAMP.totalMinor - 1, currency: LAMP.currency } } },
  ],
];
const REASONS: readonly unknown[] = ["limit_reached", "over_limit"];

/** CON-3: what a grant allows in a period, and two tasks that reach for the last of it at once. */
export const con3Period: ConformanceCase = {
  id: "CON-3.period",
  requirements: ["CON-3"],
  group: "Consent and authority",
  claim:
    "A grant's limits per period hold at the boundary too: two approved tasks at once cannot both use what is left.",
  async run(scene) {
    await takesPeriods(scene);
    for (const [index, [what, limits]] of LIMITS.entries()) {
      const desk = await scene.desk({ operations: [ORDER], limits });
      scene.did(`under a grant of ${what} two orders were approved at once`);
      const wish = (room: number) => desk.pending({ parameters: { max_total_minor: LAMP.totalMinor + room } });
      const both = [await wish(0), await wish(1)];
      await Promise.all(both.map(({ approval }) => desk.approve(approval)));
      const ends = await Promise.all(both.map(({ taskId }) => desk.reaches(taskId, ["succeeded", "denied"])));
      const denied = ends.filter((task) => task["state"] === "denied");
      check(
        denied.length === 1,
        "one of them is done and the other is denied",
        ends.map((task) => task["state"] ?? null),
      );
      check(REASONS.includes(denied[0]?.["reason"]), "because the grant is used up", denied[0] ?? null);
      const { taskId } = await desk.submit(desk.order());
      const later = await desk.look(taskId, ["approval_required"]);
      check(later["state"] === "denied", "what is asked for afterwards is denied and never put to the holder", later);
      check((await scene.counted()).submits === index + 1, "one order was submitted");
    }
  },
};

/** The draft names the limit, not its spelling: a gateway that spells it otherwise is not judged here. */
async function takesPeriods(scene: Scene): Promise<void> {
  const { accountRef } = await scene.stage.first.account();
  const asked = await scene.stage.first.port(0).requestConsent({
    account_ref: accountRef,
    operations: [ORDER],
    limits: { periods: { day: { max_actions: 1 } } },
    purpose: "Never decided.",
    expires_at: inMs(HOUR_MS),
  });
  if (asked.status === 400) throw new NotApplicable("this gateway takes no limits.periods in a grant request");
}
