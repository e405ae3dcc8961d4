import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert } from "@countersign/wire";
import { ensureConsole } from "../../../packages/countersign/src/setup/console-build.ts";
import { Agent } from "../../../test/support/agent.ts";
import { Person } from "../../../test/support/person.ts";
import { type CuttingProxy, startCuttingProxy } from "../../evershop/cutting-proxy.ts";
import { type GatewayProcess, gatewayOn } from "../../evershop/e2e/gateway.ts";
import { freePort } from "../../processes/processes.ts";
import { type NewCustomer, startVendure, type VendureShop } from "../shop.ts";
import { type Shopper, shopperAt } from "../shopper.ts";

const customer: NewCustomer = {
  firstName: "Ada",
  lastName: "Example",
  email: "ada@example.com",
  password: "correct-horse-9",
  street: "Hafenweg 14",
  city: "Hamburg",
  postalCode: "20457",
};

export interface World {
  readonly shop: VendureShop;
  readonly proxy: CuttingProxy;
  readonly gateway: GatewayProcess;
  readonly person: Person;
  /** The same person, at the shop itself. */
  readonly phone: Shopper;
  readonly agent: Agent;
  readonly accountRef: string;
  readonly consentRef: string;
  readonly fulfillmentRef: string;
}

export type Say = (line: string) => void;

/**
 * A shop behind a proxy, `countersign start` on an empty data directory, and a person who has let an agent in, signed in
 * at the shop by the form, and granted. What was started is undone through `undo`, last first.
 */
export async function openWorld(say: Say, undo: (() => Promise<void>)[]): Promise<World> {
  const built = await ensureConsole(say);
  assert(built.ok, "the trusted interface is built");
  const shop = await startVendure();
  undo.push(() => shop.stop());
  const proxy = await startCuttingProxy(shop.origin);
  undo.push(() => proxy.stop());
  await shop.addCustomer(customer);
  const phone = await shopperAt(shop.origin, customer);
  await phone.buy("enamel-mug", 2);
  say("the shop runs, and its customer has bought there by themselves");

  const dataDir = await mkdtemp(join(tmpdir(), "countersign-vendure-"));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const destination = { id: "vendure", site: "vendure", origin: proxy.origin };
  const gateway = gatewayOn(dataDir, await freePort(), destination);
  undo.push(() => gateway.stop());
  const { issuer } = gateway;
  const where = {
    issuer,
    dataDir,
    get shop(): never {
      throw new Error("there is no practice shop here");
    },
  };
  const link = await gateway.start();
  const person = await Person.withLink(where, link.slice(link.indexOf("#") + 1));
  const agent = await Agent.join(where, person);
  const accountRef = await connect(person);
  const consentRef = await agent.askGrant({
    account_ref: accountRef,
    operations: ["retail.orders.list", "retail.item.get", "retail.order.submit"],
    routes: ["http"],
    limits: { max_total_minor: 20_000, currency: "USD" },
  });
  const granted = await person.grant(consentRef, accountRef);
  assert(granted.status === 200, `the person grants: ${granted.text}`);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const [home] = capabilities.json["references"] as readonly { readonly ref: string }[];
  assert(home !== undefined, `the account has its address: ${capabilities.text}`);
  say("the account is connected by the shop's API, and the agent has its grant");
  return { shop, proxy, gateway, person, phone, agent, accountRef, consentRef, fulfillmentRef: home.ref };
}

async function connect(person: Person): Promise<string> {
  const begun = await person.post("/connections", { destination: "vendure", route: "http" });
  assert(begun.status === 201 || begun.status === 200, `the connection begins: ${begun.text}`);
  const ref = String(begun.json["continuation_ref"]);
  const form = await person.post(`/continuations/${ref}/begin`);
  assert(form.json["mode"] === "form", `the form begins: ${form.text}`);
  const wrong = await person.post(`/continuations/${ref}/form`, {
    values: { email: customer.email, password: "wrong" },
  });
  assert(wrong.json["kind"] === "refused", `a wrong password is refused: ${wrong.text}`);
  const { email, password } = customer;
  await person.post(`/continuations/${ref}/begin`);
  const done = await person.post(`/continuations/${ref}/form`, { values: { email, password } });
  assert(done.json["kind"] === "done", `the sign-in is done: ${done.text}`);
  return String(begun.json["account_ref"]);
}
