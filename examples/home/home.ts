// What stands around an agent in these examples, all in this process and on this machine: a gateway, a practice shop
// where nothing is real, and an account holder. The world is the one that the project's own tests use.
import { fromKernel } from "@countersign/gateway";
import { buildProtocols, gatewayPlugin, type Plugin } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import { askGateway } from "../../packages/countersign/src/setup/admin-client.ts";
import { Person } from "../../test/support/person.ts";
import { openWorld } from "../../test/support/world.ts";

/** What `countersign agent add NAME` writes into the agent's file. */
export interface Credential {
  readonly client_id: string;
  readonly token_endpoint: string;
  readonly resource: string;
  readonly refresh_token: string;
}

export interface Home {
  /** The gateway's address; all that an agent has to know. */
  readonly gateway: string;
  readonly credential: Credential;
  /** How many orders the shop has taken. */
  orders(): number;
  close(): Promise<void>;
}

const LOOK_MS = 100;

/** Opens the gateway with the protocols that are asked for; its account holder has an account at the shop. */
export async function openHome(protocols: readonly Plugin[], say: (line: string) => void): Promise<Home> {
  const built = buildProtocols([gatewayPlugin, ...protocols]);
  assert(built.ok, "the protocols fit together");
  const { bindings = [], http = [] } = fromKernel(built.kernel);
  const world = await openWorld({ bindings, http });
  const person = await Person.signIn(world);
  const account = await person.connectShop("http");
  const added = await askGateway(world.dataDir, { command: "agent_add", name: "Example agent" });
  assert(added.ok, "an agent can be asked for");
  const clientId = String(added.value["client_id"]);
  await person.post(`/agents/${clientId}/decision`, { decision: "accept" });
  const given = await askGateway(world.dataDir, { command: "agent_credential", client_id: clientId });
  assert(given.ok, "the credential is handed over once");
  const holder = playAccountHolder(person, account, say);
  return {
    gateway: world.issuer,
    credential: given.value as unknown as Credential,
    orders: () => world.shop.control.counters().orders,
    async close() {
      await holder.stop();
      await world.close();
    },
  };
}

/** Somebody who says yes to whatever stands in their inbox, as they would in their browser. Never do so at home. */
function playAccountHolder(person: Person, account: string, say: (line: string) => void) {
  let stopped = false;
  const look = async (): Promise<void> => {
    while (!stopped) {
      const inbox = await person.get("/inbox");
      for (const { kind, href } of (inbox.json["items"] ?? []) as { kind: string; href: string }[]) {
        if (kind === "consent") {
          say(`  [the account holder reads ${href} and lets the agent do it]`);
          await person.grant(href.slice("/consents/".length), account);
        } else if (kind === "approval") {
          const view = await person.get(href);
          say(`  [the account holder reads ${href} and approves exactly that]`);
          await person.decide(view.json, "approved");
        }
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  const looking = look();
  return {
    async stop() {
      stopped = true;
      await looking;
    },
  };
}
