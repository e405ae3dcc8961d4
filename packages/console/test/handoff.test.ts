import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser, openStage, type Stage, type Visit, visit } from "./browser.ts";

const executable = findBrowser();
const PICTURES = process.env["COUNTERSIGN_PICTURES"];

describe.skipIf(executable === undefined)("the hand-off in a browser", () => {
  let stage: Stage;
  let here: Visit;
  beforeAll(async () => {
    stage = await openStage(executable ?? "");
  });
  afterAll(async () => {
    await stage?.close();
  });

  const open = async (options: Parameters<typeof visit>[1] = {}) => {
    here = await visit(stage, options);
    here.fake.live.frames = [stage.picture, stage.picture, stage.picture];
    await here.go("/continuations/cont_live");
    await screen().and(here.page.locator("[data-frame='3']")).waitFor();
  };
  const screen = () => here.page.getByRole("application", { name: "The site's page" });
  const inputs = (type: string) => here.fake.inputs.filter((i) => i["type"] === type);
  const until = async (holds: () => boolean) => {
    await expect.poll(holds, { timeout: 3_000, interval: 20 }).toBe(true);
  };
  const typed = () =>
    inputs("key")
      .filter((i) => i["action"] === "down" && String(i["key"]).length === 1)
      .map((i) => i["key"])
      .join("");

  it("MFA-2 draws the pictures in order and acknowledges each", async () => {
    await open();
    await until(() => inputs("ack").length === 3);
    expect(inputs("ack").map((i) => i["id"])).toEqual([1, 2, 3]);
    const dark = await screen().evaluate((canvas) => {
      const { data } = (canvas as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, 640, 200) ?? { data: [] };
      return Array.from(data).filter((value, i) => i % 4 === 0 && value < 100).length;
    });
    expect(dark, "the site's words are on the canvas").toBeGreaterThan(50);
    expect(inputs("resize")).toHaveLength(1);
    expect(here.complaints).toEqual([]);
    await here.close();
  });

  it("U46 sends each character as the key that it is, and Tab and Enter to the page", async () => {
    await open();
    await screen().focus();
    await here.page.keyboard.type("a.b@c-d.co");
    await here.page.keyboard.press("Tab");
    await here.page.keyboard.press("Enter");
    await until(() => inputs("key").some((i) => i["key"] === "Enter" && i["action"] === "up"));
    expect(typed()).toBe("a.b@c-d.co");
    expect(inputs("key").find((i) => i["key"] === ".")).toEqual({
      type: "key",
      action: "down",
      key: ".",
      code: "Period",
      shift: false,
      ctrl: false,
      alt: false,
      meta: false,
    });
    expect(inputs("key").some((i) => i["key"] === "Tab")).toBe(true);
    expect(inputs("text")).toEqual([]);
    await here.close();
  });

  it("is no trap for the keyboard: Escape twice leaves the picture, and what follows stays here", async () => {
    await open();
    await screen().focus();
    await here.page.keyboard.press("Escape");
    await here.page.keyboard.press("Escape");
    const before = inputs("key").length;
    await here.page.keyboard.press("Tab");
    expect(await here.page.evaluate(() => document.activeElement?.id)).toBe("paste");
    expect(inputs("key").filter((i) => i["key"] === "Tab")).toEqual([]);
    expect(before).toBeGreaterThan(0);
    await here.close();
  });

  it("sends composed text, pasted text and the paste box as text, never as keys", async () => {
    await open();
    await screen().focus();
    const cdp = await here.page.context().newCDPSession(here.page);
    await cdp.send("Input.imeSetComposition", { text: "こん", selectionStart: 2, selectionEnd: 2 });
    await cdp.send("Input.insertText", { text: "今日" });
    await until(() => inputs("text").length === 1);
    await here.page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "12345678901234567890");
      document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await until(() => inputs("text").length === 2);
    await here.page.getByLabel("Text to paste into the page").fill("4711");
    await here.page.getByRole("button", { name: "Paste" }).click();
    await until(() => inputs("text").length === 3);
    expect(inputs("text").map((i) => i["text"])).toEqual(["今日", "12345678901234567890", "4711"]);
    expect(typed()).toBe("");
    expect(await here.page.getByLabel("Text to paste into the page").inputValue()).toBe("");
    await here.close();
  });

  it("sends clicks, double clicks and the wheel in the remote page's own pixels", async () => {
    await open();
    const box = await screen().boundingBox();
    const at = { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 };
    await screen().dblclick({ position: at });
    await here.page.mouse.wheel(0, 120);
    await until(() => inputs("mouse").some((i) => i["action"] === "wheel"));
    const downs = inputs("mouse").filter((i) => i["action"] === "down");
    expect(downs.map((i) => i["clicks"])).toEqual([1, 2]);
    expect(downs[0]).toMatchObject({ button: "left" });
    expect(Math.abs(Number(downs[0]?.["x"]) - 320)).toBeLessThanOrEqual(1);
    expect(Math.abs(Number(downs[0]?.["y"]) - 200)).toBeLessThanOrEqual(1);
    await here.page.keyboard.type("x");
    await until(() => typed() === "x");
    await here.close();
  });

  it("a tap is a click and a swipe scrolls, on a phone", async () => {
    await open({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await screen().tap();
    await until(() => inputs("mouse").some((i) => i["action"] === "up"));
    expect(inputs("mouse").map((i) => i["action"])).toEqual(["move", "down", "up"]);
    await here.page.getByRole("button", { name: "Enter" }).tap();
    await until(() => inputs("key").some((i) => i["key"] === "Enter"));
    await here.close();
  });

  it("says where the page really is, and warns once it has left the site", async () => {
    await open();
    await here.page.getByText("https://shop.example").first().waitFor();
    expect(await here.page.getByText("Careful").count()).toBe(0);
    here.fake.say({ type: "location", origin: "https://evil.example", path: "/login", trusted: false });
    await here.page.getByRole("alert").getByText("Careful").waitFor();
    await here.page.locator(".address").getByText("https://evil.example").waitFor();
    await here.close();
  });

  it("shows the page's own dialogs and answers them", async () => {
    await open();
    here.fake.say({ type: "dialog", kind: "prompt", text: "Which floor?" });
    const dialog = here.page.getByRole("alertdialog");
    await dialog.getByLabel("Your answer").fill("third");
    await dialog.getByRole("button", { name: "OK" }).click();
    await until(() => inputs("dialog").length === 1);
    here.fake.say({ type: "dialog", kind: "confirm", text: "Sure?" });
    await here.page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await until(() => inputs("dialog").length === 2);
    expect(inputs("dialog")).toEqual([
      { type: "dialog", accept: true, text: "third" },
      { type: "dialog", accept: false },
    ]);
    await here.close();
  });

  it("completes, and says as whom", async () => {
    await open();
    await here.page.getByRole("button", { name: "I have signed in" }).click();
    await here.page.getByText("Connected as Alex Example.").waitFor();
    expect(here.fake.posts.map((p) => p.path)).toEqual([
      "/continuations/cont_live/begin",
      "/continuations/cont_live/complete",
    ]);
    await here.close();
  });

  it("a view that is closed says why, and begins again only when asked", async () => {
    await open();
    here.fake.live.socket?.close(4004);
    await here.page.getByText("The view has ended.").waitFor();
    await here.page.getByRole("button", { name: "Begin again" }).click();
    await screen().waitFor();
    here.fake.live.socket?.close(4003);
    await here.page.getByText("You have been signed out").waitFor();
    expect(await here.page.getByRole("button", { name: "Begin again" }).count()).toBe(0);
    await here.close();
  });

  it("U46 a window that watches sends nothing, and says how to drive from here", async () => {
    await open();
    here.fake.say({ type: "role", role: "watcher", driven: true });
    await here.page.getByText("This one watches").waitFor();
    const before = here.fake.inputs.length;
    await screen().focus();
    await here.page.keyboard.type("secret");
    await screen().click();
    expect(await here.page.getByLabel("Text to paste into the page").count()).toBe(0);
    await here.page.getByRole("button", { name: "Drive from here" }).click();
    await until(() => inputs("take").length === 1);
    expect(here.fake.inputs.slice(before).filter((i) => i["type"] !== "ack")).toEqual([{ type: "take" }]);
    const sized = inputs("resize").length;
    here.fake.say({ type: "role", role: "driver", driven: true });
    await here.page.getByText("This one watches").waitFor({ state: "detached" });
    await until(() => inputs("resize").length === sized + 1);
    await here.close();
  });

  it("says in words what the picture cannot, and lists the pages that the site opened", async () => {
    await open();
    here.fake.say({ type: "notice", code: "host_refused", host: "xn--pypal-4ve.com" });
    await here.page.getByText("xn--pypal-4ve.com, which is not among this site's addresses").waitFor();
    here.fake.say({ type: "notice", code: "tries_spent", at: "2026-12-01T10:00:00Z" });
    await here.page.getByText("No more passwords or codes are sent to the site for now").waitFor();
    const tab = { origin: "https://shop.example", shown: false };
    here.fake.say({
      type: "tabs",
      tabs: [
        { id: 1, title: "Sign in", ...tab },
        { id: 4, title: "Bank \u202e", ...tab, shown: true },
      ],
    });
    const tabs = here.page.getByRole("list", { name: "Pages that the site has opened" });
    expect(await tabs.textContent()).toContain("U+202E");
    await tabs.getByRole("button", { name: "Sign in", exact: true }).click();
    await tabs.getByRole("button", { name: /Close Bank/ }).click();
    await until(() => inputs("tab").length === 2);
    expect(inputs("tab")).toEqual([
      { type: "tab", id: 1, action: "show" },
      { type: "tab", id: 4, action: "close" },
    ]);
    here.fake.say({ type: "location", origin: "null", path: "", trusted: false });
    await here.page.getByText("no page").waitFor();
    await here.close();
  });

  it.each([
    ["a desktop", { viewport: { width: 1280, height: 800 } }],
    ["a phone", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ])(
    "fits %s: as wide as there is room, nothing scrolls sideways, the button is on the first screen",
    async (name, options) => {
      await open(options);
      const size = inputs("resize")[0] ?? {};
      const box = await screen().boundingBox();
      expect(Math.abs(Number(size["width"]) - (box?.width ?? 0)), "as wide as it is drawn").toBeLessThanOrEqual(2);
      expect(await here.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      if (PICTURES !== undefined)
        await here.page.screenshot({ path: `${PICTURES}/handoff-${name.replace("a ", "")}.png` });
      await here.close();
    },
  );

  it("MFA-6 a bank's code goes to the site by its form, and the page says what came of it", async () => {
    here = await visit(stage);
    await here.go("/continuations/cont_verify");
    await here.page.getByRole("heading", { name: "Confirm at Practice shop" }).waitFor();
    await here.page.getByText("also tried in another browser window").waitFor();
    const code = here.page.getByLabel("Code from your bank");
    await code.fill("000000");
    await here.page.getByRole("button", { name: "Continue" }).click();
    await here.page.getByText("did not take that code").waitFor();
    expect(await code.inputValue()).toBe("");
    await code.fill("123456");
    await here.page.getByRole("button", { name: "Continue" }).click();
    await here.page.getByText("Confirmed. The site has done it.").waitFor();
    expect(here.complaints).toEqual([]);
    await here.close();
  });

  it("MFA-2 asks by form where the site is reached by its API, one step after the other", async () => {
    here = await visit(stage);
    await here.go("/continuations/cont_form");
    await here.page.getByLabel("Email").fill("a.b@c-d.co");
    await here.page.getByLabel("Password").fill("wrong");
    await here.page.getByRole("button", { name: "Continue" }).click();
    await here.page.getByRole("alert").getByText("does not know these").waitFor();
    expect(await here.page.getByLabel("Password").inputValue()).toBe("");
    await here.page.getByLabel("Email").fill("a.b@c-d.co");
    await here.page.getByLabel("Password").fill("right");
    await here.page.getByRole("button", { name: "Continue" }).click();
    const code = here.page.getByLabel("One-time code");
    await code.waitFor();
    expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
    await code.fill("123456");
    await here.page.getByRole("button", { name: "Continue" }).click();
    await here.page.getByText("Connected as Alex Example.").waitFor();
    expect(here.complaints).toEqual([]);
    await here.close();
  });
});
