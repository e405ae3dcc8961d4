import { assert } from "@countersign/wire";
import type { Browser, Locator } from "playwright-core";
import { pageSize } from "../../packages/console/src/handoff/size.ts";
import type { Demo } from "./demo.ts";
import { type Device, textOf } from "./device.ts";
import { pictureMs, stepMs, typingMs } from "./limits.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Where a person sees the fields in the picture of the shop's page. A script has no eye for a picture, so it looks at
 * the shop's own page at the same size.
 */
async function see(browser: Browser, device: Device, labels: readonly string[]): Promise<readonly Point[]> {
  const screen = screenOf(device);
  await screen.scrollIntoViewIfNeeded();
  const box = await screen.boundingBox();
  const window = device.page.viewportSize();
  assert(box !== null && window !== null, "the picture is on the screen");
  const size = pageSize(box.width, window.height);
  const context = await browser.newContext({ viewport: size });
  try {
    const page = await context.newPage();
    await page.goto(`${await shopOrigin(device)}/sign-in`);
    const points: Point[] = [];
    for (const label of labels) {
      const field = page
        .getByLabel(label)
        .or(page.getByRole("button", { name: label, exact: true }))
        .first();
      const at = await field.boundingBox();
      assert(at !== null, `the shop's page shows ${label}`);
      points.push({ x: at.x + at.width / 2, y: at.y + at.height / 2 });
    }
    const scale = box.width / size.width;
    return points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  } finally {
    await context.close();
  }
}

/** The site's address, as the bar above the picture says it. */
async function shopOrigin(device: Device): Promise<string> {
  const said = await textOf(addressOf(device));
  const origin = /(?:https?:\/\/)?([\w.-]+:\d+)/.exec(said)?.[1];
  assert(origin !== undefined, `the bar names the site: ${said}`);
  return `http://${origin}`;
}

const screenOf = (device: Device): Locator => device.page.getByRole("application", { name: "The site's page" });
const addressOf = (device: Device): Locator => device.page.getByRole("status", { name: "Address of the site's page" });

/** The bar names the page, and its picture has come. */
async function shows(device: Device, path: string): Promise<void> {
  await addressOf(device).getByText(path, { exact: true }).waitFor({ timeout: stepMs });
  await device.page.getByText("The site's page is being opened…").waitFor({ state: "hidden" });
}

/** Signs in at the shop in its picture: with mouse and keyboard, or with a finger and the on-screen keyboard. */
export async function signInAtShop(
  browser: Browser,
  demo: Demo,
  device: Device,
  between: (name: string) => Promise<void>,
): Promise<void> {
  await shows(device, "/sign-in");
  await between("the shop in the live view");
  const [email, password] = await see(browser, device, ["Email", "Password"]);
  assert(email !== undefined && password !== undefined, "both fields are seen");
  await at(device, email);
  await write(device, demo.email);
  await at(device, password);
  await write(device, demo.password);
  await device.page.waitForTimeout(pictureMs);
  await between("typed in the picture");
  await device.page.keyboard.press("Enter");
  await shows(device, "/sign-in/verify");
  const code = await readCode(device, demo);
  await between("the shop asks for a code");
  if (device.name === "phone") await paste(device, code);
  else await write(device, code);
  await device.page.keyboard.press("Enter");
  await addressOf(device).getByText("/sign-in/verify", { exact: true }).waitFor({ state: "hidden" });
  await between("signed in at the shop");
  await device.press(device.page.getByRole("button", { name: "I have signed in" }));
}

function at(device: Device, position: Point): Promise<void> {
  const screen = screenOf(device);
  return device.name === "phone" ? screen.tap({ position }) : screen.click({ position });
}

/** An on-screen keyboard brings text without keys; one on a desk brings keys. */
async function write(device: Device, text: string): Promise<void> {
  const { keyboard } = device.page;
  if (device.name === "desktop") return keyboard.type(text, { delay: typingMs });
  for (const letter of text) await keyboard.insertText(letter);
}

/** A code that was copied elsewhere, put into the field that has the focus in the picture. */
async function paste(device: Device, code: string): Promise<void> {
  const { page } = device;
  await page.getByLabel("Text to paste into the page").fill(code);
  await device.press(page.getByRole("button", { name: "Paste", exact: true }));
  await device.press(page.getByRole("button", { name: "Enter", exact: true }));
}

/** Looks at the practice person's codes in a second tab, where the terminal says that they are shown. */
async function readCode(device: Device, demo: Demo): Promise<string> {
  const tab = await device.context.newPage();
  await tab.goto(demo.practice);
  await tab.getByText("One-time code for signing in").waitFor();
  const code = await textOf(tab.getByText(/^\d{6}$/).first());
  await tab.close();
  await device.page.bringToFront();
  return code;
}
