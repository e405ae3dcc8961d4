import { CUSTOMER_NUMBER } from "./bank/seed.ts";
import type { PracticeBank, PracticeUtility } from "./start.ts";

// The person's own way to a site: whoever shuts an adapter's way out while it is checked does not shut this one.
const send = globalThis.fetch;

/** A browser as far as a person needs one at a site's own forms: it keeps cookies, follows redirects, posts forms. */
export class Visitor {
  readonly #cookies = new Map<string, string>();

  async get(url: string): Promise<Shown> {
    return this.#follow(url, {});
  }

  /**
   * Fills in the form of a page that leads to `path`, with its hidden fields, and sends it.
   * @param then "stay" gives the answer itself where it is a redirect: it leads away from the site.
   */
  async submit(
    page: string,
    path: string,
    fields: Readonly<Record<string, string>>,
    then: "follow" | "stay" = "follow",
  ): Promise<Shown> {
    const { text } = await this.get(page);
    const form = new URLSearchParams();
    for (const [, name = "", value = ""] of text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g))
      form.set(name, unescaped(value));
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const url = new URL(path, page).href;
    return then === "stay"
      ? this.#once(url, { method: "POST", body: form })
      : this.#follow(url, { method: "POST", body: form });
  }

  /** Asks as a page's own script does: JSON, with the page's token. */
  async ask(url: string, body: object, csrf: string): Promise<Shown> {
    const headers = { "content-type": "application/json", "x-csrf-token": csrf };
    return this.#once(url, { method: "POST", body: JSON.stringify(body), headers });
  }

  async #follow(url: string, init: RequestInit): Promise<Shown> {
    let shown = await this.#once(url, init);
    for (let hops = 0; shown.location !== undefined && hops < 8; hops += 1)
      shown = await this.#once(shown.location, {});
    return shown;
  }

  async #once(url: string, init: RequestInit): Promise<Shown> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(init.headers as Record<string, string> | undefined), ...(cookie === "" ? {} : { cookie }) };
    const answer = await send(url, { ...init, redirect: "manual", headers });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=", 2);
      this.#cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    return {
      url,
      status: answer.status,
      text: await answer.text(),
      ...(location === null ? {} : { location: new URL(location, url).href }),
    };
  }
}

export interface Shown {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location?: string;
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

const WRONG_CODE = "000000";

/**
 * What the practice person does when a program sends them to the bank: they log in with both factors (the second one
 * wrong at first, if `mistyped`), let it in, and are sent back. Gives the address that their browser is sent to.
 */
export async function letInAtBank(
  bank: PracticeBank,
  goTo: string,
  mistyped: "mistyped" | "at_once" = "at_once",
): Promise<URL> {
  const visitor = new Visitor();
  const asked = await visitor.get(goTo);
  await visitor.submit(asked.url, "/login", { customer_number: CUSTOMER_NUMBER, password: bank.user.password });
  const verify = `${bank.origin}/login/verify`;
  if (mistyped === "mistyped") await visitor.submit(verify, "/login/verify", { code: WRONG_CODE });
  const agreed = await visitor.submit(verify, "/login/verify", { code: bank.currentCode() });
  const back = await visitor.submit(agreed.url, "/oauth/authorize", { answer: "allow" }, "stay");
  return new URL(back.location ?? "");
}

/**
 * What the practice person does to let a program in at the utility: they sign in with both factors (the code of the
 * e-mail wrong at first, if `mistyped`), and make a key at the settings. Gives the key, which is shown this once.
 */
export async function keyFromUtility(
  utility: PracticeUtility,
  mistyped: "mistyped" | "at_once" = "at_once",
): Promise<string> {
  const { origin, user, control } = utility;
  const visitor = new Visitor();
  const first = `${origin}/sign-in`;
  await visitor.submit(first, "/sign-in", { email: user.email, password: user.password });
  const verify = `${origin}/sign-in/verify`;
  if (mistyped === "mistyped") {
    const wrong = control.mailedCode() === WRONG_CODE ? "000001" : WRONG_CODE;
    await visitor.submit(verify, "/sign-in/verify", { code: wrong });
  }
  await visitor.submit(verify, "/sign-in/verify", { code: control.mailedCode() ?? "" });
  const settings = await visitor.get(`${origin}/settings`);
  const csrf = /<meta name="csrf-token" content="([^"]*)">/.exec(settings.text)?.[1] ?? "";
  const made = await visitor.ask(`${origin}/data/keys`, { name: "Countersign" }, csrf);
  const said: unknown = JSON.parse(made.text);
  if (typeof said === "object" && said !== null && "key" in said && typeof said.key === "string") return said.key;
  throw new Error("the utility did not give a key");
}
