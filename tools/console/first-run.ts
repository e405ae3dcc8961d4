import { readFileSync } from "node:fs";
import { verifyBundle } from "@countersign/profile";
import { assert, isJsonObject, type JsonObject } from "@countersign/wire";
import type { Browser } from "playwright-core";
import type { Album } from "./album.ts";
import type { Demo } from "./demo.ts";
import { type Device, textOf } from "./device.ts";
import { signInAtShop } from "./picture.ts";

export interface Walk {
  readonly browser: Browser;
  readonly demo: Demo;
  readonly device: Device;
  readonly album: Album;
}

/** From the printed link to the receipt of the first purchase and back in by passkey, by what stands on the pages. */
export async function firstRun(walk: Walk): Promise<void> {
  const { device, demo } = walk;
  await makePasskey(walk);
  await letAgentIn(walk);
  await connectAndGrant(walk);
  await approve(walk);
  await seeReceipt(walk);
  await signOutAndIn(walk);
  const report = await demo.report();
  const { shop } = report;
  assert(
    isJsonObject(shop ?? null) && JSON.stringify(shop) === '{"submits":1,"orders":1}',
    `one order: ${String(shop)}`,
  );
  // U47: what the person typed is in nothing that the agent was given.
  assert(!JSON.stringify(report).includes(demo.password), "the agent was given no password");
  device.isClean();
}

const shooting =
  ({ album, device }: Walk) =>
  (name: string, whole?: "page" | "screen") =>
    album.add(device.page, device.name, name, whole);

async function makePasskey(walk: Walk): Promise<void> {
  const { device, demo } = walk;
  const { page } = device;
  const picture = shooting(walk);
  await page.goto(demo.link);
  await device.arrives("Sign in to Countersign");
  await picture("the link");
  await device.press(page.getByRole("button", { name: "Sign in here" }));
  await device.arrives("Make your passkey");
  await picture("make your passkey");
  await device.press(page.getByRole("button", { name: "Make the passkey" }));
  await device.arrives("Inbox");
}

/** Opens what waits by its first line, as soon as it is there. */
async function openFromInbox({ device }: Walk, kind: string): Promise<void> {
  await device.press(device.page.getByRole("main").getByRole("link", { name: kind }));
}

async function letAgentIn(walk: Walk): Promise<void> {
  const { device } = walk;
  const { page } = device;
  const picture = shooting(walk);
  await page.getByRole("link", { name: "A new agent asks to be let in" }).waitFor();
  await picture("inbox with an agent");
  await openFromInbox(walk, "A new agent asks to be let in");
  await device.arrives("Agent");
  await picture("a new agent");
  await device.press(page.getByRole("button", { name: "Accept" }));
  await page.getByText("Accepted", { exact: true }).waitFor();
  await picture("the agent is let in");
  await device.goTo("Inbox");
}

async function connectAndGrant(walk: Walk): Promise<void> {
  const { device, demo, browser } = walk;
  const { page } = device;
  const picture = shooting(walk);
  await page.getByRole("link", { name: "An agent asks for a grant" }).waitFor();
  await picture("inbox with a grant");
  await openFromInbox(walk, "An agent asks for a grant");
  await device.arrives("Grant");
  await picture("a grant is asked for");
  await device.press(page.getByRole("button", { name: "Connect an account through the site's own pages" }));
  await signInAtShop(browser, demo, device, (name) => picture(name, "screen"));
  await device.arrives("Grant");
  await page.getByRole("radio").first().waitFor();
  await picture("the grant with an account");
  await device.press(page.getByRole("button", { name: "Grant", exact: true }));
  await page.getByText("Granted", { exact: true }).waitFor();
  await picture("granted");
  await device.goTo("Inbox");
}

async function approve(walk: Walk): Promise<void> {
  const { device } = walk;
  const { page } = device;
  const picture = shooting(walk);
  await page.getByRole("link", { name: "Your decision is needed" }).waitFor();
  await picture("inbox with a decision");
  await openFromInbox(walk, "Your decision is needed");
  const button = page.getByRole("button", { name: "Approve and order" });
  await button.waitFor();
  await picture("the first screen of a decision", "screen");
  await picture("a decision");
  const terms = await textOf(page.getByRole("region", { name: "Terms", exact: true }));
  for (const term of ["49.90", "Trail lamp", "Standard"])
    assert(terms.toLowerCase().includes(term.toLowerCase()), `the terms name ${term}: ${terms}`);
  await device.press(button);
  await page.getByText("You approved this.").waitFor();
  await page.getByText("It was done, once.").waitFor();
  await picture("approved and done");
}

async function seeReceipt(walk: Walk): Promise<void> {
  const { device, demo } = walk;
  const { page } = device;
  const picture = shooting(walk);
  await device.press(page.getByRole("link", { name: "See the whole story" }));
  await page.getByText("The site confirmed it.").waitFor();
  await picture("the whole story");
  await device.press(page.getByRole("link", { name: "See the receipt" }));
  await device.arrives("Receipt");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    device.press(page.getByRole("link", { name: "Download the evidence" })),
  ]);
  await picture("the receipt");
  await device.press(page.getByRole("button", { name: "Check it now, in this browser" }));
  await page.getByText("The evidence holds.").waitFor();
  await picture("the evidence is checked");
  const pin = await page.getByLabel("Pin of the gateway's log").inputValue();
  const bundle = JSON.parse(readFileSync(await download.path(), "utf8")) as JsonObject;
  const verified = await verifyBundle(bundle, { pin, issuer: demo.issuer });
  const wanted = device.name === "phone" ? "L3" : "L2";
  assert(verified.ok && verified.value.level === wanted, `the file verifies as ${wanted}: ${JSON.stringify(verified)}`);
}

async function signOutAndIn(walk: Walk): Promise<void> {
  const { device } = walk;
  const { page } = device;
  const picture = shooting(walk);
  await device.goTo("Inbox");
  await device.arrives("Inbox");
  await picture("inbox when nothing waits");
  await device.press(page.getByRole("button", { name: "Sign out" }));
  await device.arrives("Sign in");
  await picture("sign in");
  await device.press(page.getByRole("button", { name: "Sign in with your passkey" }));
  await device.arrives("Inbox");
}
