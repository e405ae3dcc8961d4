import { assert } from "@countersign/wire";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { stepMs } from "./limits.ts";

export type DeviceName = "desktop" | "phone";

const looks: Readonly<Record<DeviceName, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};
/** What a person reads there: what is not drawn is not read. */
export function textOf(what: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text counts as text content
  return what.innerText();
}

/** Chromium writes a line for each refused call; whoever is signed out gets this one, and nobody any other. */
const signedOutLine = "Failed to load resource: the server responded with a status of 401 (Unauthorized)";
const conflictLine = "Failed to load resource: the server responded with a status of 409 (Conflict)";

/**
 * A browser of somebody's own that holds passkeys and verifies its person. It writes down whatever the pages complain
 * of, and each request that leaves their origin.
 */
export class Device {
  readonly name: DeviceName;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[] = [];
  readonly foreign: string[] = [];

  private constructor(name: DeviceName, context: BrowserContext, page: Page) {
    this.name = name;
    this.context = context;
    this.page = page;
  }

  static async open(browser: Browser, name: DeviceName, issuer: string): Promise<Device> {
    const context = await browser.newContext({ ...looks[name], acceptDownloads: true });
    context.setDefaultTimeout(stepMs);
    const page = await context.newPage();
    const device = new Device(name, context, page);
    await device.#watch(issuer);
    const cdp = await context.newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return device;
  }

  /** A finger on the phone, the mouse at the desk. */
  press(what: Locator): Promise<void> {
    return this.name === "phone" ? what.tap() : what.click();
  }

  /** To a page by its name in the navigation; on the phone some are behind "More". */
  async goTo(name: string): Promise<void> {
    const bar = this.page.getByRole("navigation", { name: "Main" });
    const entry = bar.getByRole("link", { name: new RegExp(`^${name}\\b`) });
    if (await entry.isVisible()) return this.press(entry);
    await this.press(bar.getByRole("link", { name: "More" }));
    await this.press(this.page.getByRole("main").getByRole("link", { name, exact: true }));
  }

  /** The page with this title is there, and has what it shows. */
  async arrives(title: string | RegExp): Promise<void> {
    await this.page.getByRole("heading", { level: 1, name: title }).waitFor();
    await this.page.getByText("Loading…").waitFor({ state: "hidden" });
  }

  /** What is written on the page, as a person reads it. */
  read(): Promise<string> {
    return textOf(this.page.getByRole("main"));
  }

  /** @throws when a page complained, or a request left the origin. */
  isClean(): void {
    assert(this.complaints.length === 0, `the pages complain: ${this.complaints.join(" | ")}`);
    assert(this.foreign.length === 0, `requests leave the origin: ${this.foreign.join(" | ")}`);
  }

  /** Chromium writes a line for the decision that comes second; no other may be there. */
  forgiveConflict(): void {
    const at = this.complaints.indexOf(conflictLine);
    if (at >= 0) this.complaints.splice(at, 1);
  }

  async #watch(issuer: string): Promise<void> {
    const { context, complaints, foreign } = this;
    const own = new URL(issuer).host;
    const away = (url: string) => {
      const { protocol, host } = new URL(url);
      if (protocol !== "blob:" && host !== own) foreign.push(url);
    };
    await context.exposeFunction("countersignComplain", (text: string) => void complaints.push(text));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const { countersignComplain } = globalThis as unknown as { countersignComplain: (text: string) => void };
        countersignComplain(`the policy: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    context.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (message.text() !== signedOutLine) complaints.push(message.text());
    });
    context.on("weberror", (error) => void complaints.push(String(error.error())));
    context.on("request", (request) => away(request.url()));
    const sockets = (page: Page) => page.on("websocket", (socket) => away(socket.url()));
    for (const page of context.pages()) sockets(page);
    context.on("page", sockets);
  }
}
