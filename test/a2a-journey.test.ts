import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { a2aPlugin } from "@countersign/a2a";
import { fromKernel } from "@countersign/gateway";
import { buildProtocols, gatewayPlugin } from "@countersign/plugin";
import { assert, type JsonObject } from "@countersign/wire";
import { afterEach, expect, it } from "vitest";
import { hoursAhead } from "./support/agent.ts";
import { Browser, pageRef } from "./support/oauth-client.ts";
import { Person } from "./support/person.ts";
import { openWorld } from "./support/world.ts";

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A program that knows the gateway's address alone, and what it says. */
function errand(issuer: string) {
  const program = fileURLToPath(new URL("./support/a2a-errand.ts", import.meta.url));
  const child = spawn(process.execPath, [program, issuer], { stdio: ["pipe", "pipe", "inherit"] });
  open.push(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async says(): Promise<JsonObject> {
      const line = await lines.next();
      assert(line.done !== true, "the program goes on");
      const said = JSON.parse(line.value) as JsonObject;
      expect(said["failed"]).toBeUndefined();
      return said;
    },
    hears: (line: JsonObject) => void child.stdin.write(`${JSON.stringify(line)}\n`),
  };
}

it("MAP-2 a program that knows the address alone: 401, discovery, its own document, a narrowed yes, a purchase, the end", async () => {
  const built = buildProtocols([gatewayPlugin, a2aPlugin]);
  assert(built.ok, "it builds");
  const { bindings = [] } = fromKernel(built.kernel);
  const world = await openWorld({ oauth: { documents: "loopback_too" }, bindings });
  open.push(() => world.close());
  const person = await Person.signIn(world);
  const accountRef = await person.connectShop("http");
  const program = errand(world.issuer);

  const { open: address } = await program.says();
  const browser = new Browser(world.issuer, person);
  const ref = pageRef(await browser.open(String(address)));
  const seen = await browser.get(`/authorizations/${ref}`);
  expect(seen.status, seen.text).toBe(200);
  const [destination] = seen.json["destinations"] as JsonObject[];
  assert(destination !== undefined, "there is a destination");
  const narrowed = { operations: ["retail.order.submit"], limits: { max_total_minor: 6000, currency: "EUR" } };
  const grant = {
    destination: destination["id"] ?? "",
    account_ref: accountRef,
    ...(destination["asked"] as JsonObject),
    ...narrowed,
    expires_at: hoursAhead(24),
  };
  const decided = await browser.post(`/authorizations/${ref}/decision`, { decision: "allow", grant });
  expect(decided.status, decided.text).toBe(200);
  const back = await browser.open(String(decided.json["onward"]));
  await (await fetch(String(back.headers.location))).text();

  expect(await program.says()).toEqual({ granted: ["retail.order.submit"] });
  const asked = await program.says();
  expect(asked["state"]).toBe("TASK_STATE_AUTH_REQUIRED");
  await person.decide(await person.approvalFor(String(asked["task"])), "approved");
  expect(await program.says()).toEqual({ over: "TASK_STATE_COMPLETED", artifacts: ["result", "receipt"] });
  expect(world.shop.control.counters().orders).toBe(1);

  const agents = (await person.get("/agents")).json["agents"] as JsonObject[];
  await person.post(`/agents/${String(agents[0]?.["client_id"])}/revoke`);
  program.hears({ revoked: true });
  expect(await program.says()).toEqual({ afterwards: 401 });
});
