import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBrowserRoute, findChromium } from "@countersign/route-browser";
import { assert, ok } from "@countersign/wire";
import { launchFlags } from "../../../routes/browser/src/chromium/flags.ts";
import { Agent, orderRequest } from "../../../test/support/agent.ts";
import { signInLive } from "../../../test/support/live.ts";
import { Person } from "../../../test/support/person.ts";
import { inStore, openWorld, type World } from "../../../test/support/world.ts";
import { atMost, type Measurement } from "../measurement.ts";
import type { Options } from "../options.ts";
import { spread } from "../stats.ts";
import { openScript } from "./script.ts";

const RATIO_MAX = 1.3;
const TURNS = { full: 20, quick: 6 } as const;
const WARM_UP = 3;
const LOOK_EVERY_MS = 5;
const WAIT_MS = 60_000;

/**
 * A purchase at the practice shop's pages, through the gateway beside a script written by hand that visits the same pages
 * in the same order, turn by turn, each in a browser that runs already. From the agent's request to the question, and
 * from the person's answer to the end: what the person takes is not counted on either side.
 */
export async function measurePurchase(options: Options): Promise<readonly Measurement[]> {
  const chromium = findChromium(process.env);
  assert(chromium.ok, "this needs Chromium");
  const sandbox = process.getuid?.() === 0 ? "off" : "on";
  const profileRoot = mkdtempSync(join(tmpdir(), "countersign-purchase-"));
  const world = await openWorld({
    logLevel: "error",
    routes: () => [
      createBrowserRoute({
        executablePath: chromium.value,
        sandbox,
        profileRoot,
        // The practice shop is this machine.
        resolve: async () => ok({ address: "127.0.0.1", family: 4 }),
      }),
    ],
  });
  try {
    const buy = await throughTheGateway(world);
    const script = await openScript(world.shop, {
      executablePath: chromium.value,
      chromiumSandbox: sandbox === "on",
      args: launchFlags([]),
    });
    try {
      const times = { gateway: [] as number[], script: [] as number[] };
      const before = world.shop.control.counters().orders;
      const turns = WARM_UP + TURNS[options.scale];
      for (let turn = 0; turn < turns; turn += 1) {
        const ours = await buy();
        const theirs = await byScript(script);
        if (turn < WARM_UP) continue;
        times.gateway.push(ours);
        times.script.push(theirs);
      }
      assert(world.shop.control.counters().orders - before === 2 * turns, "each turn is one order on either side");
      const [ours, theirs] = [spread(times.gateway), spread(times.script)];
      const ratio = ours.p50 / theirs.p50;
      return [
        {
          name: "browser-purchase",
          what: "a purchase at the practice shop's pages, beside the same by a Playwright script",
          figures: { p50_ms: ours.p50, max_ms: ours.max, script_p50_ms: theirs.p50, script_max_ms: theirs.max, ratio },
          targets: [atMost("a purchase by the browser route beside a script, times", ratio, RATIO_MAX)],
        },
      ];
    } finally {
      await script.close();
    }
  } finally {
    await world.close();
    rmSync(profileRoot, { recursive: true, force: true });
  }
}

/** Connects the shop in the live view, has an agent's grant decided, and gives what buys once. */
async function throughTheGateway(world: World): Promise<() => Promise<number>> {
  const person = await Person.signIn(world);
  const agent = await Agent.join(world, person);
  const begun = await person.post("/connections", { destination: "practice-shop", route: "browser" });
  const accountRef = String(begun.json["account_ref"]);
  await signInLive(person, String(begun.json["continuation_ref"]));
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations: ["retail.order.submit"] });
  await person.grant(consentRef, accountRef);
  const { references } = (await agent.get(`/v1/accounts/${accountRef}/capabilities`)).json;
  const home = (references as { ref: string; label: string }[]).find(({ label }) => label === "Home");
  assert(home !== undefined, "the account has a home address");
  const refs = { accountRef, consentRef, fulfillmentRef: home.ref };
  return async () => {
    const asked = performance.now();
    const submitted = await agent.post("/v1/tasks", orderRequest(refs));
    assert(submitted.status === 201, `the request is taken: ${submitted.text}`);
    const taskId = String(submitted.json["task_id"]);
    await reaches(world, taskId, "approval_required");
    const prepared = performance.now() - asked;
    const view = await person.approvalFor(taskId);
    const decided = performance.now();
    await person.decide(view, "approved");
    await reaches(world, taskId, "succeeded");
    return prepared + performance.now() - decided;
  };
}

async function byScript(script: Awaited<ReturnType<typeof openScript>>): Promise<number> {
  const began = performance.now();
  const total = await script.prepare();
  await script.commit(total);
  return performance.now() - began;
}

async function reaches({ gateway }: World, taskId: string, wanted: string): Promise<void> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const { state } = await inStore(gateway, (db) =>
      db.selectFrom("task").select("state").where("task_id", "=", taskId).executeTakeFirstOrThrow(),
    );
    if (state === wanted) return;
    assert(performance.now() < end, `${taskId} becomes ${wanted}: it is ${state}`);
    await pause(LOOK_EVERY_MS);
  }
}
