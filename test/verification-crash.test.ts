import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { assert, isJsonObject, parseJson } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VERIFICATION_SEND_MS } from "../packages/gateway/src/limits.ts";
import { Agent } from "./support/agent.ts";
import { until } from "./support/http.ts";
import { Person } from "./support/person.ts";
import { bankCode, begin, orderThatWaits, sendCode } from "./support/verification.ts";
import { freePort } from "./support/world.ts";

/** Two processes are started; a busy machine takes its time. */
const SLOW_MS = 60_000;
const SCRIPT = fileURLToPath(new URL("./support/gateway-process.ts", import.meta.url));

let shop: PracticeShop;
let dataDir: string;
let issuer: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  shop = await startPracticeShop();
  dataDir = mkdtempSync(join(tmpdir(), "countersign-crash-"));
  issuer = `http://localhost:${await freePort()}`;
});
afterEach(async () => {
  await kill();
  await shop.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function run(more: { readonly dieAt?: string; readonly aheadMs?: number } = {}): Promise<string> {
  const settings = JSON.stringify({ dataDir, issuer, shop: shop.origin, crash: "never", ...more });
  const started = spawn(process.execPath, [SCRIPT, settings], { stdio: ["ignore", "pipe", "inherit"] });
  child = started;
  const line = await new Promise<string>((resolve, reject) => {
    started.stdout.once("data", (part: Buffer) => resolve(part.toString("utf8")));
    started.once("exit", () => reject(new Error("the gateway ended")));
  });
  const ready = parseJson(line.trim());
  assert(ready.ok && isJsonObject(ready.value), "one line of JSON");
  return String(ready.value["link"]);
}

async function kill(): Promise<void> {
  const ending = child;
  child = undefined;
  if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
  await new Promise((resolve) => {
    ending.once("exit", resolve);
    ending.kill("SIGKILL");
  });
}

async function pending(link: string) {
  const where = { issuer, dataDir, shop };
  const person = await Person.withLink(where, link);
  const agent = await Agent.join(where, person);
  const accountRef = await person.connectShop("http");
  const consentRef = await agent.askGrant({ destination: "practice-shop", operations: ["retail.order.submit"] });
  await person.grant(consentRef, accountRef);
  const capabilities = await agent.get(`/v1/accounts/${accountRef}/capabilities`);
  const references = capabilities.json["references"] as { ref: string; label: string }[];
  const fulfillmentRef = references.find((r) => r.label === "Home")?.ref ?? "";
  const waiting = await orderThatWaits({ agent, person, refs: { accountRef, consentRef, fulfillmentRef } });
  await begin(person, waiting.ref);
  return { person, agent, ...waiting };
}

const counters = () => shop.control.counters();
const story = (person: Person, taskId: string, state: string) =>
  until(
    () => person.get(`/tasks/${taskId}`),
    (r) => r.json["state"] === state,
    state,
  );

describe("kill -9 while the bank's code is waited for", () => {
  it(
    "MFA-6 the form stands in its row: after a restart the code goes through, and there is one order",
    async () => {
      const { person, taskId, ref } = await pending(await run());
      await kill();
      await run();
      expect((await person.get(`/tasks/${taskId}`)).json["state"]).toBe("executing");
      expect((await sendCode(person, ref, bankCode(person))).json).toMatchObject({ task_state: "succeeded" });
      expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    },
    SLOW_MS,
  );

  it.each(["verification.before_send", "verification.after_send"])(
    "MFA-6 STA-2 killed at %s: the form does not open again, the outcome is unknown and is read back",
    async (dieAt) => {
      const { person, taskId, ref } = await pending(await run({ dieAt }));
      const code = bankCode(person);
      await sendCode(person, ref, code).catch(() => undefined);
      const died = child;
      await until(
        async () => died?.signalCode ?? null,
        (signal) => signal !== null,
        "the gateway to die",
      );
      shop.control.bankApproves();
      await run({ aheadMs: VERIFICATION_SEND_MS });
      await story(person, taskId, "succeeded");
      expect((await sendCode(person, ref, code)).status).toBe(410);
      const states = (await person.get(`/tasks/${taskId}`)).json["events"] as { state: string }[];
      expect(states.map((e) => e.state)).toContain("outcome_unknown");
      expect(counters()).toMatchObject({ submits: 1, orders: 1 });
    },
    SLOW_MS,
  );
});
