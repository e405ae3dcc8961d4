import { readFileSync } from "node:fs";
import { practiceShop } from "@countersign/adapter-practice-shop";
import { createLog, startGateway } from "@countersign/gateway";
import { OPERATIONS } from "@countersign/profile";
import { createHttpRoute } from "@countersign/route-http";
import { instant, type JsonObject, secret } from "@countersign/wire";
import { caller } from "../../packages/gateway/src/admission/caller.ts";
import type { Point } from "../../packages/gateway/src/points.ts";
import { createPort } from "../../packages/gateway/src/port-impl.ts";
import type { Order, Settings } from "./child-contract.ts";

// A gateway in a process of its own that stops itself where it is told. What an agent asks comes by messages, so that a
// proof of thousands of lives is not spent on tokens; what the person does goes through HTTP like any page.
const settings = JSON.parse(process.argv[2] ?? "{}") as Settings;
let armed: { readonly point: Point; readonly signal: "SIGKILL" | "SIGSTOP"; left: number } | undefined;

const started = await startGateway({
  dataDir: settings.dataDir,
  issuer: settings.issuer,
  ...(settings.listenPort === undefined ? {} : { listenPort: settings.listenPort }),
  ...(settings.databaseUrl === undefined ? {} : { database: secret(settings.databaseUrl) }),
  destinations: [{ id: "practice-shop", site: "practice-shop", origin: settings.shopOrigin }],
  sites: [practiceShop],
  operations: OPERATIONS,
  approvals: { "retail.order.submit": "session" },
  routes: () => [createHttpRoute()],
  log: createLog("error"),
  env: settings.masterKey === undefined ? {} : { COUNTERSIGN_MASTER_KEY: settings.masterKey },
  now: () => instant(Date.now() + Number(readFileSync(settings.clockFile, "utf8"))),
  reach(point) {
    if (armed?.point !== point) return;
    armed.left -= 1;
    if (armed.left > 0) return;
    const { signal } = armed;
    armed = undefined;
    process.kill(process.pid, signal);
  },
});
if (!started.ok) {
  process.send?.({ problem: started.reason.kind });
  process.exit(1);
}
const gateway = started.value;
const port = createPort(gateway.core, { verifyAccessToken: async () => ({ ok: false, reason: "malformed" }) } as never);

async function obey(order: Order): Promise<JsonObject> {
  switch (order.do) {
    case "arm":
      armed = { point: order.point, signal: order.signal, left: order.pass };
      return {};
    case "disarm":
      armed = undefined;
      return {};
    case "look":
      gateway.core.poke();
      return {};
    case "submit":
    case "task": {
      const who = caller({ ...gateway.owner, clientId: order.clientId });
      const scope = { tenantId: gateway.owner.tenantId };
      return gateway.core.store.as(scope, async () => {
        const answer =
          order.do === "task"
            ? await port.task(who, order.taskId)
            : await port.submit(who, new TextEncoder().encode(JSON.stringify(order.request)));
        if (!answer.ok) return { refused: answer.reason.reason };
        return "task" in answer.value ? (answer.value["task"] as JsonObject) : answer.value;
      });
    }
  }
}

process.on("message", (message: { readonly id: number; readonly order: Order }) => {
  void obey(message.order).then(
    (value) => process.send?.({ id: message.id, value }),
    (error: unknown) => process.send?.({ id: message.id, failed: error instanceof Error ? error.message : "unknown" }),
  );
});
process.on("disconnect", () => process.exit(0));
const link = await gateway.signInLink();
process.send?.({ ready: true, link: link.reveal(), tenantId: gateway.owner.tenantId });
