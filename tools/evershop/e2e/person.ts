import type { Browser, Page } from "playwright-core";
import type { NewCustomer } from "../shop.ts";
import { stepMs, tabsMax, typingMs } from "./limits.ts";

/** The account holder: knows the sign-in link and the shop's password, and has a browser of their own. */
export class Person {
  readonly page: Page;
  readonly issuer: string;
  readonly customer: NewCustomer;

  private constructor(page: Page, issuer: string, customer: NewCustomer) {
    this.page = page;
    this.issuer = issuer;
    this.customer = customer;
  }

  static async signIn(browser: Browser, issuer: string, link: string, customer: NewCustomer): Promise<Person> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(stepMs);
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in here" }).click();
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    return new Person(page, issuer, customer);
  }

  async letIn(clientId: string): Promise<void> {
    await this.page.goto(`${this.issuer}/agents/${clientId}`);
    await this.page.getByRole("button", { name: "Accept" }).click();
    await this.page.getByText("Accepted", { exact: true }).waitFor();
  }

  /** Connects the shop through its own page, then grants what was asked. */
  async connectAndGrant(consentRef: string, tabs: Tabs): Promise<void> {
    await this.page.goto(`${this.issuer}/consents/${consentRef}`);
    await this.page.getByRole("button", { name: "Connect an account through the site's own pages" }).click();
    await this.#signInAtShop(tabs);
    await this.page.getByRole("radio", { name: new RegExp(this.customer.fullName) }).waitFor();
    await this.page.getByRole("button", { name: "Grant", exact: true }).click();
    await this.page.getByText("Granted", { exact: true }).waitFor();
  }

  /** With the keyboard alone, in the live view of the shop's page. */
  async #signInAtShop(tabs: Tabs): Promise<void> {
    const screen = this.page.getByRole("application", { name: "The site's page" });
    const isSignIn = (path: string) => path === "/account/login";
    await this.#viewShows(isSignIn).catch(async () => {
      // Seen once, unexplained: as a person does, the page is loaded again, and the run says so.
      const said = (await this.page.getByRole("main").ariaSnapshot()).replaceAll(/\s+/g, " ");
      process.stdout.write(`         the live view did not come and was opened AGAIN; the page said: ${said}\n`);
      await this.page.reload();
      await this.#viewShows(isSignIn);
    });
    await screen.focus();
    await this.#press("Tab", tabs.toEmail);
    await this.page.keyboard.type(this.customer.email, { delay: typingMs });
    await this.page.keyboard.press("Tab");
    await this.page.keyboard.type(this.customer.password, { delay: typingMs });
    // Enter in the field does nothing at this shop: the button is no submit button.
    await this.#press("Tab", tabs.toButton);
    await this.page.keyboard.press("Enter");
    await this.#viewShows((path) => path !== "/account/login");
    await this.page.getByRole("button", { name: "I have signed in" }).click();
    await screen.waitFor({ state: "detached" });
  }

  async #press(key: string, times: number): Promise<void> {
    for (let each = 0; each < times; each++) await this.page.keyboard.press(key);
  }

  /** Waits for the address bar of the view, and for a picture. */
  async #viewShows(isIt: (path: string) => boolean): Promise<void> {
    const bar = this.page.getByRole("status", { name: "Address of the site's page" }).locator(".quiet");
    const until = performance.now() + stepMs;
    while (performance.now() < until) {
      const path = (await bar.count()) > 0 ? ((await bar.textContent()) ?? "") : "";
      const opening = await this.page.getByText("The site's page is being opened…").isVisible();
      if (path !== "" && isIt(path) && !opening) return;
      await this.page.waitForTimeout(100);
    }
    throw new Error("the live view does not show the page");
  }

  /** Enters a delivery address for an account. @returns its opaque ref. */
  async addAddress(accountRef: string, value: Readonly<Record<string, string>>): Promise<string> {
    const answer = await this.#call("POST", `/accounts/${accountRef}/details`, {
      kind: "fulfillment",
      label: "Home",
      value,
    });
    return String(answer["ref"]);
  }

  /** What the trusted interface says of a task. */
  task(taskId: string): Promise<Readonly<Record<string, unknown>>> {
    return this.#call("GET", `/tasks/${taskId}`);
  }

  /** Opens the record that waits for this task. @returns its id and all that the page shows. */
  async openApproval(taskId: string, unlike?: string): Promise<{ readonly actionId: string; readonly text: string }> {
    const until = performance.now() + stepMs;
    while (performance.now() < until) {
      const inbox = await this.#call("GET", "/inbox");
      for (const item of inbox["items"] as readonly { readonly kind: string; readonly href: string }[]) {
        const actionId = item.href.replace("/approvals/", "");
        if (item.kind !== "approval" || actionId === unlike) continue;
        if ((await this.#call("GET", item.href))["task_id"] !== taskId) continue;
        await this.page.goto(`${this.issuer}${item.href}`);
        await this.page.getByRole("button", { name: "Approve and order" }).waitFor();
        return { actionId, text: await this.page.getByRole("main").ariaSnapshot() };
      }
      await this.page.waitForTimeout(200);
    }
    throw new Error("no approval waits");
  }

  async approve(): Promise<void> {
    await this.page.getByRole("button", { name: "Approve and order" }).click();
    await this.page.getByText("You approved this.").waitFor();
  }

  async deny(): Promise<void> {
    await this.page.getByRole("button", { name: "Deny", exact: true }).click();
  }

  /** As the console's own script calls its server. */
  #call(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
    return this.page.evaluate(
      async ([how, where, what]) => {
        const token = /(?:^|; )__Host-countersign-page=([^;]+)/.exec(document.cookie)?.[1] ?? "1";
        const answer = await fetch(`/trusted/v1${where}`, {
          method: how,
          headers: { "content-type": "application/json", "x-countersign": token },
          ...(what === null ? {} : { body: what }),
        });
        if (!answer.ok) throw new Error(`${where} answered ${answer.status}`);
        return (await answer.json()) as Readonly<Record<string, unknown>>;
      },
      [method, path, body === undefined ? null : JSON.stringify(body)] as const,
    );
  }
}

/** How often Tab is pressed on the shop's sign-in page: to the first field, then from the password to the button. */
export interface Tabs {
  readonly toEmail: number;
  readonly toButton: number;
}

export async function countTabs(browser: Browser, shopOrigin: string): Promise<Tabs> {
  const page = await browser.newPage({ viewport: { width: 900, height: 600 } });
  const until = async (isThere: () => boolean) => {
    for (let tabs = 0; tabs < tabsMax; tabs++) {
      if (await page.evaluate(isThere)) return tabs;
      await page.keyboard.press("Tab");
    }
    throw new Error("Tab leads nowhere on the shop's sign-in page");
  };
  try {
    await page.goto(`${shopOrigin}/account/login`);
    const toEmail = await until(() => document.activeElement?.getAttribute("name") === "email");
    await until(() => document.activeElement?.getAttribute("name") === "password");
    const toButton = await until(() => document.activeElement?.textContent === "Sign In");
    return { toEmail, toButton };
  } finally {
    await page.close();
  }
}
