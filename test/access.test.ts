import {
  type AccessAnswer,
  type AccessChallenge,
  type AccessService,
  accessPoint,
  build,
  corePlugin,
  definePlugin,
  gatewayPlugin,
} from "@countersign/plugin";
import { createHttpRoute } from "@countersign/route-http";
import { assert, secret } from "@countersign/wire";
import { afterEach, expect, it } from "vitest";
import { fromKernel } from "../packages/gateway/src/gateway.ts";
import { orderRequest } from "./support/agent.ts";
import { STAND_IN, type StandIn, standIn } from "./support/stand-in.ts";
import { readyWorld } from "./support/world.ts";

const CHALLENGE = "captcha.image";
type Ready = Awaited<ReturnType<typeof readyWorld>>;
let ready: Ready | undefined;
afterEach(async () => {
  await ready?.world.close();
  ready = undefined;
});

const solver = (service: AccessService) =>
  definePlugin({
    manifest: { id: "access.solver", version: "1", title: "Passes checks", opens: [], uses: [accessPoint] },
    contribute: (put) => put(accessPoint, { id: "solver", key: CHALLENGE, order: 200, value: service }),
  });

/** A stand-in behind a check, with what the test's plugin makes of it, an account and a grant. */
async function behindCheck(site: StandIn, service: AccessService) {
  const kernel = build([corePlugin, gatewayPlugin, solver(service)], { trusted: ["access.solver"] });
  assert(kernel.ok, "the host may install access infrastructure");
  const { access } = fromKernel(kernel.kernel);
  assert(access !== undefined, "a kernel says what access infrastructure there is");
  ready = await readyWorld({
    sites: [site.site],
    destinations: [STAND_IN],
    routes: () => [createHttpRoute(), site.route],
    access,
  });
  const { person, agent } = ready;
  const asked = await person.post("/connections", { destination: "stand-in", route: "browser" });
  const ref = String(asked.json["continuation_ref"]);
  site.who = { name: "Alex", details: [] };
  await person.post(`/continuations/${ref}/begin`);
  await person.post(`/continuations/${ref}/complete`);
  const accountRef = String(asked.json["account_ref"]);
  const operations = ["retail.orders.list", "subscription.cancel"];
  const consentRef = await agent.askGrant({ destination: "stand-in", operations });
  await person.grant(consentRef, accountRef);
  const ask = async (operation: string, parameters: object): Promise<string> => {
    const request = { ...orderRequest({ accountRef, consentRef, fulfillmentRef: "" }), operation, parameters };
    return String((await agent.post("/v1/tasks", request)).json["task_id"]);
  };
  return { agent, person, accountRef, ask };
}

const passes = (seen: { challenge: AccessChallenge; given: readonly string[] }[]): AccessService => ({
  async pass(ctx, challenge): Promise<AccessAnswer> {
    seen.push({ challenge, given: Object.keys(ctx) });
    return { kind: "passed", answer: secret("7 boats") };
  },
});

it("MFA-5 a passed check is no authentication: the site that asks for a sign-in behind it gets the person", async () => {
  const site = standIn();
  const seen: { challenge: AccessChallenge; given: readonly string[] }[] = [];
  const { agent, person, ask } = await behindCheck(site, passes(seen));
  site.gate = "check_then_sign_in";
  const taskId = await ask("retail.orders.list", {});
  expect(await agent.reaches(taskId, "authentication_required")).toMatchObject({ state: "authentication_required" });
  expect(site.access).toMatchObject([{ kind: "passed" }]);
  const accounts = (await person.get("/accounts")).json["accounts"] as { connections: { state: string }[] }[];
  expect(accounts.at(-1)?.connections[0]?.state).toBe("reauthentication_required");
  // What the service is given: the check, and nothing of whose it is.
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen[0]?.challenge)).not.toMatch(/acct_|task_|session/);
  for (const member of ["task", "person", "detail", "access"]) expect(seen[0]?.given).not.toContain(member);
});

it("MFA-5 APR-3 a passed check is no approval: the person decides as ever", async () => {
  const site = standIn();
  const { agent, ask } = await behindCheck(site, passes([]));
  site.gate = "check";
  const taskId = await ask("subscription.cancel", { subscription_ref: "membership" });
  expect(await agent.reaches(taskId, "approval_required")).toMatchObject({ state: "approval_required" });
  expect(site.access).toMatchObject([{ kind: "passed" }]);
  expect(site.held).toBe(0);
});

it("MFA-5 where nobody is installed for a check, or it is not passed, the site is a gap", async () => {
  const site = standIn();
  const { agent, ask } = await behindCheck(site, { pass: async () => ({ kind: "not_passed" }) });
  site.gate = "check";
  const taskId = await ask("retail.orders.list", {});
  expect(await agent.reaches(taskId)).toMatchObject({ state: "failed", reason: "site_gap" });
});

it("MFA-5 only the host installs access infrastructure, and none is shipped", () => {
  const foreign = build([corePlugin, gatewayPlugin, solver(passes([]))], { trusted: [] });
  expect(foreign.ok).toBe(false);
  if (!foreign.ok) expect(foreign.problems.map((p) => p.code)).toContain("not_permitted");
  const bare = build([corePlugin, gatewayPlugin], { trusted: [] });
  assert(bare.ok, "the gateway alone is a whole");
  expect(fromKernel(bare.kernel).access?.size).toBe(0);
});
