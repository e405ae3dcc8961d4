import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { a2aPlugin } from "@countersign/a2a";
import { fromKernel } from "@countersign/gateway";
import { buildProtocols, gatewayPlugin } from "@countersign/plugin";
import { mcpPlugin } from "@countersign/protocol-mcp";
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

/** A program that knows one address alone, and what it says. */
function errand(name: string, address: string) {
  const program = fileURLToPath(new URL(`./support/errand/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [program, address], { stdio: ["pipe", "pipe", "inherit"] });
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

const DOORS = [
  {
    name: "a2a",
    plugin: a2aPlugin,
    path: "",
    granted: { granted: ["retail.order.submit"] },
    asked: "TASK_STATE_AUTH_REQUIRED",
    over: { over: "TASK_STATE_COMPLETED", artifacts: ["result", "receipt"] },
  },
  {
    name: "mcp",
    plugin: mcpPlugin,
    path: "/mcp",
    granted: { granted: ["retail.order.submit"], orders: true },
    asked: "approval_required",
    over: { over: "succeeded", receipt: "string" },
  },
];

it.each(DOORS)(
  "MAP-2 PLG-6 a program that knows an address alone, over $name: 401, discovery, its own document, a narrowed yes, a purchase, the end",
  async ({ name, plugin, path, granted, asked, over }) => {
    const built = buildProtocols([gatewayPlugin, plugin]);
    assert(built.ok, "it builds");
    const { bindings = [], http = [] } = fromKernel(built.kernel);
    const world = await openWorld({ oauth: { documents: "loopback_too" }, bindings, http });
    open.push(() => world.close());
    const person = await Person.signIn(world);
    const accountRef = await person.connectShop("http");
    const program = errand(name, `${world.issuer}${path}`);

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

    expect(await program.says()).toEqual(granted);
    const waits = await program.says();
    expect(waits["state"]).toBe(asked);
    await person.decide(await person.approvalFor(String(waits["task"])), "approved");
    expect(await program.says()).toEqual(over);
    expect(world.shop.control.counters().orders).toBe(1);

    const agents = (await person.get("/agents")).json["agents"] as JsonObject[];
    await person.post(`/agents/${String(agents[0]?.["client_id"])}/revoke`);
    program.hears({ revoked: true });
    expect(await program.says()).toEqual({ afterwards: 401 });
  },
);
