import { assert } from "@countersign/wire";
import { Agent } from "./agent.ts";
import { textOf } from "./device.ts";
import type { Walk } from "./first-run.ts";

const backwards = "\u202e";
const unseen = "\u200b";
/** A Cyrillic letter among Latin ones. */
const alike = "\u0430";
const deceptiveName = `Errand${unseen} ${backwards}tnega of your b${alike}nk`;
const deceptivePurpose = `Order one lamp${unseen} for ${backwards}09.94 at shop${alike}.example`;

/** An agent whose own words deceive is let in and granted something: each page shows them for what they are (U30 to U32). */
export async function deceptiveAgent({ demo, device, album }: Walk): Promise<Agent> {
  const { page } = device;
  const isShown = async (where: string) => {
    const text = await device.read();
    for (const point of ["U+202E", "U+200B", "U+0430"])
      assert(text.includes(point), `${where} shows ${point}: ${text}`);
    for (const raw of [backwards, unseen, alike]) assert(!text.includes(raw), `${where} hides a character`);
    await album.add(page, device.name, `deceptive ${where}`);
  };
  await device.goTo("Inbox");
  const agent = await Agent.join(demo.dataDir, deceptiveName, async () => {
    await device.press(page.getByRole("main").getByRole("link", { name: "A new agent asks to be let in" }));
    await device.arrives("Agent");
    await isShown("agent");
    await device.press(page.getByRole("button", { name: "Accept" }));
    await page.getByText("Accepted", { exact: true }).waitFor();
  });
  await device.goTo("Inbox");
  await agent.askGrant(deceptivePurpose, async () => {
    await device.press(page.getByRole("main").getByRole("link", { name: "An agent asks for a grant" }));
    await page.getByRole("radio").first().waitFor();
    await isShown("grant");
    await device.press(page.getByRole("button", { name: "Grant", exact: true }));
    await page.getByText("Granted", { exact: true }).waitFor();
  });
  return agent;
}

/** The same words on the page where money is decided about: in their own box, and nowhere among the terms. */
export async function deceptiveDecision({ device, album }: Walk): Promise<void> {
  const { page } = device;
  await device.goTo("Inbox");
  await device.press(page.getByRole("main").getByRole("link", { name: "Your decision is needed" }));
  await page.getByRole("button", { name: "Approve and order" }).waitFor();
  const terms = await textOf(page.getByRole("region", { name: "Terms", exact: true }));
  assert(!/U\+|tnega|bank/.test(terms), `the terms hold nothing of the agent's: ${terms}`);
  const words = await textOf(page.getByRole("region", { name: "From the agent. Nobody has checked this." }));
  for (const point of ["U+202E", "U+200B", "U+0430"]) assert(words.includes(point), `the box shows ${point}: ${words}`);
  await album.add(page, device.name, "deceptive decision");
  await device.press(page.getByRole("link", { name: "Back to the inbox" }).first());
  await device.arrives("Inbox");
}
