import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assert, type JsonObject } from "@countersign/wire";
import type { Page } from "playwright-core";
import type { Agent } from "./agent.ts";
import { AsPage } from "./as-page.ts";
import { textOf } from "./device.ts";
import type { Walk } from "./first-run.ts";
import { mixedDecisions } from "./limits.ts";

const approveName = "Approve and order";

/** What only one decision can have written, however many came. */
function storedDecisions(dataDir: string, actionId: string): readonly string[] {
  const db = new DatabaseSync(join(dataDir, "gateway.db"), { readOnly: true });
  try {
    const rows = db.prepare("select decision from approval where action_id = ?").all(actionId);
    return rows.map((row) => String(row["decision"]));
  } finally {
    db.close();
  }
}

/** Half of them approve and half deny, all under way at once: one is stored, and every answer tells which. */
export async function fiftyAtOnce({ demo, device }: Walk, agent: Agent, taskId: string): Promise<string> {
  const asPage = await AsPage.of(device, demo.issuer);
  const href = await asPage.approvalOf(taskId);
  const before = await asPage.orders();
  const view = (await asPage.get(href)).json;
  const { private: hidden } = view["action"] as { private: { display_text: string } };
  const body = (decision: string): JsonObject => ({
    decision,
    action_digest: String(view["action_digest"]),
    surface: { version: "e2e", display_digest: hidden.display_text },
  });
  const wanted = Array.from({ length: mixedDecisions }, (_, at) => (at % 2 === 0 ? "approved" : "denied"));
  const answers = await Promise.all(
    wanted.map(async (decision) => ({ decision, reply: await asPage.post(`${href}/decision`, body(decision)) })),
  );
  const taken = new Set(answers.filter(({ reply }) => reply.status === 200).map(({ decision }) => decision));
  const [one] = taken;
  assert(one !== undefined && taken.size === 1, `one decision is taken: ${[...taken].join(", ")}`);
  for (const { decision, reply } of answers) {
    const says = decision === one ? reply.json["status"] === one : reply.json["reason"] === "decided_otherwise";
    assert(says, `${decision} is answered ${reply.status}: ${reply.text.slice(0, 200)}`);
  }
  const stored = storedDecisions(demo.dataDir, href.replace("/approvals/", ""));
  assert(stored.length === 1 && stored[0] === one, `one is stored: ${stored.join(", ")}`);
  const state = await agent.reaches(taskId);
  assert(state === (one === "approved" ? "succeeded" : "denied"), `the task is ${state}`);
  const placed = (await asPage.orders()) - before;
  assert(placed === (one === "approved" ? 1 : 0), `the shop counts ${placed} orders`);
  return one;
}

/** A tab follows what another one decides; and of two that decide at once, both tell the same. */
export async function twoTabs({ demo, device, album }: Walk, agent: Agent): Promise<void> {
  const asPage = await AsPage.of(device, demo.issuer);
  const first = await openBoth(await agent.order());
  await first.one.getByRole("button", { name: approveName }).click();
  for (const tab of [first.one, first.other]) await tab.getByText("You approved this.").waitFor();
  await first.close();

  const second = await openBoth(await agent.order());
  await album.add(second.one, device.name, "an equal order lately");
  await Promise.all([
    second.one.getByRole("button", { name: approveName }).click(),
    second.other.getByRole("button", { name: "Deny", exact: true }).click(),
  ]);
  const told = await Promise.all([second.one, second.other].map(settledAs));
  device.forgiveConflict();
  assert(told[0] === told[1], `both tabs tell the same: ${told.join(" and ")}`);
  await album.add(second.other, device.name, "decided in another tab");
  await second.close();

  async function openBoth(taskId: string) {
    const href = `${demo.issuer}${await asPage.approvalOf(taskId)}`;
    const [one, other] = [await device.context.newPage(), await device.context.newPage()];
    for (const tab of [one, other]) {
      await tab.goto(href);
      await tab.getByRole("button", { name: approveName }).waitFor();
    }
    return {
      one,
      other,
      close: async () => {
        await agent.reaches(taskId);
        await Promise.all([one.close(), other.close()]);
      },
    };
  }
}

/** Which sentence says how it was settled. */
async function settledAs(tab: Page): Promise<string> {
  const said = tab.getByText("You approved this.").or(tab.getByText("You denied this. Nothing was done."));
  return textOf(said.first());
}

/** The tab dies while its decision is on the way: another tab says what became of it, and it is done once. */
export async function tabDies({ demo, device }: Walk, agent: Agent): Promise<string> {
  const asPage = await AsPage.of(device, demo.issuer);
  const before = await asPage.orders();
  const taskId = await agent.order();
  const href = `${demo.issuer}${await asPage.approvalOf(taskId)}`;
  const dying = await device.context.newPage();
  await dying.goto(href);
  const cdp = await device.context.newCDPSession(dying);
  const dead = dying.waitForEvent("crash");
  dying.once("request", () => void cdp.send("Page.crash").catch(() => {}));
  await dying
    .getByRole("button", { name: approveName })
    .click({ noWaitAfter: true })
    .catch(() => {});
  await dead;
  await dying.close();

  const tab = await device.context.newPage();
  await tab.goto(href);
  const button = tab.getByRole("button", { name: approveName });
  await button.or(tab.getByText("You approved this.")).first().waitFor();
  const arrived = !(await button.isVisible());
  if (!arrived) await button.click();
  await tab.getByText("It was done, once.").waitFor();
  await tab.close();
  const placed = (await asPage.orders()) - before;
  assert(placed === 1, `the shop counts ${placed} orders`);
  return arrived ? "the decision had arrived" : "the decision had not arrived, and was made in the next tab";
}
