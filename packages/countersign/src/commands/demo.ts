import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Gateway, holderBundle } from "@countersign/gateway";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { verifyBundle } from "@countersign/profile";
import { ensureChromium } from "@countersign/route-browser";
import { assert, type JsonObject, plainText, revealText } from "@countersign/wire";
import { type Command, type ExitCode, print, readArgs, say, usageError } from "../cli.ts";
import { DemoStopped, joinGateway, obtainGrant, read, runTask } from "../demo/agent-side.ts";
import { practiceBoard } from "../demo/practice-board.ts";
import { composeGateway } from "../setup/compose.ts";
import { ensureConsole } from "../setup/console-build.ts";
import { chooseDemoPort } from "../setup/free-port.ts";
import { untilStopped } from "../setup/until-stopped.ts";

export const demoCommand: Command = {
  name: "demo",
  help: `Usage: countersign demo [--yes] [--json] [--port N] [--keep]

Starts a gateway and a practice shop on this machine, plays an agent that lists orders and then orders
one lamp, and waits for you to let it in, sign in at the shop and approve, in your browser.

  --yes      plays the person too, from a separate process that drives a real browser
  --json     ends with one JSON document: tasks, receipt, bundle, and what the shop counted
  --port N   the gateway's port (default: 4600, or a free one when that is taken)
  --keep     leaves gateway and shop running afterwards, until Ctrl+C`,
  async run(args) {
    const parsed = readArgs(args, {
      yes: { type: "boolean" },
      json: { type: "boolean" },
      port: { type: "string" },
      keep: { type: "boolean" },
    });
    if (!parsed.ok) return usageError(demoCommand, parsed.reason);
    const { values } = parsed.value;
    if (values.port !== undefined && !/^\d{1,5}$/.test(values.port))
      return usageError(demoCommand, "--port takes a number");
    const chromium = await ensureChromium(say);
    if (!chromium.ok) {
      say(chromium.reason.message);
      return 1;
    }
    const built = await ensureConsole(say);
    if (!built.ok) {
      say(built.reason);
      return 1;
    }
    const port = await chooseDemoPort(values.port === undefined ? undefined : Number(values.port));
    const dataDir = mkdtempSync(join(tmpdir(), "countersign-demo-"));
    const shop = await startPracticeShop();
    const sandbox = process.getuid?.() === 0 ? "off" : "on";
    if (sandbox === "off")
      say("Running as root: Chromium's own sandbox is OFF for this demonstration. Never run a real gateway so.");
    const gateway = await composeGateway({
      dataDir,
      issuer: `http://localhost:${port}`,
      sandbox,
      logLevel: "silent",
      destinations: [{ id: "practice-shop", site: "practice-shop", origin: shop.origin }],
      chromium: chromium.value,
      // Not every machine has a passkey; what is bought here is not real.
      approvals: { "retail.order.submit": "session" },
      notify: { outbox: true },
      practice: practiceBoard(shop),
      // A developer tries a client of their own against it, on this machine.
      oauth: { documents: "loopback_too" },
      taskWebhooks: "loopback_too",
    });
    if (!gateway.ok) {
      await shop.close();
      say(`countersign demo: ${gateway.reason}`);
      return 1;
    }
    const options = { yes: values.yes === true, json: values.json === true, keep: values.keep === true };
    try {
      return await play({ gateway: gateway.value, shop, dataDir, chromium: chromium.value, sandbox }, options);
    } catch (error) {
      if (!(error instanceof DemoStopped)) throw error;
      say(`The demonstration stopped: ${error.message}.`);
      return 1;
    } finally {
      await gateway.value.stop();
      await shop.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
};

interface Stage {
  readonly gateway: Gateway;
  readonly shop: PracticeShop;
  readonly dataDir: string;
  readonly chromium: string;
  readonly sandbox: "on" | "off";
}

async function play(
  stage: Stage,
  options: { readonly yes: boolean; readonly json: boolean; readonly keep: boolean },
): Promise<ExitCode> {
  const { gateway, shop } = stage;
  const { issuer } = gateway.core;
  say(`Gateway   ${issuer}`);
  say(`Shop      ${shop.origin}   (practice: nothing here is real)`);
  say(`Messages  ${join(stage.dataDir, "outbox")}   (what you would be told by mail, as files)`);
  const link = `${issuer}/link#${(await gateway.signInLink()).reveal()}`;
  const person = options.yes ? playPerson(stage, link) : undefined;
  if (person === undefined) {
    say(`\nYou are the account holder. Sign in once: ${link}`);
    say(`At the shop you are ${shop.user.email} with password ${shop.user.password};`);
    say(`its one-time code is shown at ${shop.controlOrigin}/current-code`);
    say("Your decision in the page is enough here; a real gateway asks for your passkey before money leaves.");
    say(`Let the shop misbehave, and read its codes: ${issuer}/practice\n`);
  }
  try {
    const errands = runErrands(stage, options);
    return await (person === undefined ? errands : Promise.race([errands, person.failed]));
  } finally {
    person?.stop();
  }
}

/** What the agent does, and what came of it: it waits for the person at each turn. */
async function runErrands(
  stage: Stage,
  options: { readonly json: boolean; readonly keep: boolean },
): Promise<ExitCode> {
  const { gateway, shop } = stage;
  const { issuer } = gateway.core;
  const agent = await joinGateway(stage.dataDir, say);
  const granted = await obtainGrant(agent, issuer, say);
  const listed = await runTask(agent, granted, "retail.orders.list", {}, say);
  const rows = await read(agent, `/v1/tasks/${String(listed["task_id"])}/result`);
  tellOrders(rows);
  const parameters = {
    item_ref: "TL-200",
    quantity: 1,
    max_total_minor: 6000,
    currency: "EUR",
    fulfillment_ref: granted.fulfillmentRef,
  };
  const ordered = await runTask(agent, granted, "retail.order.submit", parameters, say);
  const receipt = await read(agent, `/v1/tasks/${String(ordered["task_id"])}/receipt`);
  const bundle = await holderBundle(gateway, String(ordered["task_id"]));
  assert(bundle !== undefined, "a settled task has a bundle");
  const verified = await verifyBundle(JSON.stringify(bundle), { pin: gateway.core.keys.pin, issuer });
  const { submits, orders } = shop.control.counters();
  say(
    `The shop counted ${submits} submission${submits === 1 ? "" : "s"} and ${orders} new order${orders === 1 ? "" : "s"}.`,
  );
  say(
    `The evidence ${verified.ok ? `verifies offline at level ${verified.value.level}` : `does not verify: ${verified.reason.code}`}.`,
  );
  const file = join(tmpdir(), `countersign-demo-${process.pid}.bundle.json`);
  writeFileSync(file, JSON.stringify(bundle, null, 2), { mode: 0o600 });
  say(`Check it yourself: npm run countersign -- verify ${file} --pin ${gateway.core.keys.pin} --issuer ${issuer}`);
  say(`The task's story: ${issuer}/tasks/${String(ordered["task_id"])}`);
  if (options.json)
    print(
      JSON.stringify({
        tasks: [withResult(listed, rows), ordered],
        receipt,
        bundle,
        pin: gateway.core.keys.pin,
        issuer,
        shop: { submits, orders },
      }),
    );
  if (options.keep) {
    say("Still running; Ctrl+C ends it.");
    await untilStopped();
  }
  return ordered["state"] === "succeeded" && verified.ok && orders === 1 ? 0 : 1;
}

function tellOrders(answer: JsonObject): void {
  const { result } = answer;
  const orders =
    typeof result === "object" && result !== null && "orders" in result && Array.isArray(result["orders"])
      ? result["orders"]
      : [];
  for (const order of orders)
    if (typeof order === "object" && order !== null && "order_number" in order)
      say(`    order ${plainText(revealText(String(order["order_number"])))}`);
}

function withResult(task: JsonObject, rows: JsonObject): JsonObject {
  return { ...task, result: rows["result"] ?? null };
}

/** The person of `--yes`: given the link on standard input, never as an argument that other users could read. */
function playPerson(stage: Stage, link: string): { readonly failed: Promise<never>; stop(): void } {
  const script = fileURLToPath(new URL("../demo/person.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(JSON.stringify({ link, chromium: stage.chromium, sandbox: stage.sandbox }));
  let stopping = false;
  const failed = new Promise<never>((_resolve, reject) => {
    child.once("exit", () => {
      if (!stopping) reject(new DemoStopped("the person of --yes could not go on"));
    });
  });
  return {
    failed,
    stop() {
      stopping = true;
      child.kill("SIGTERM");
    },
  };
}
