import type { Gateway } from "@countersign/gateway";
import type { PracticeShop } from "@countersign/practice";
import { assert, type JsonObject } from "@countersign/wire";
import { type Reply, send, until } from "./http.ts";

/** Where a gateway and its shop are to be found. */
export interface Where {
  readonly issuer: string;
  readonly dataDir: string;
  readonly shop: PracticeShop;
}

/** The account holder, as the trusted interface's own page: its cookie, its origin, its header. */
export class Person {
  readonly world: Where;
  readonly cookie: string;
  /** What the session's own pages show with each change. */
  readonly pageToken: string;

  private constructor(world: Where, cookie: string, pageToken: string) {
    this.world = world;
    this.cookie = cookie;
    this.pageToken = pageToken;
  }

  static async signIn(world: Where & { readonly gateway: Gateway }): Promise<Person> {
    return Person.withLink(world, (await world.gateway.signInLink()).reveal());
  }

  static async withLink(world: Where, link: string): Promise<Person> {
    const reply = await send(world.issuer, "POST", "/trusted/v1/session", {
      headers: pageHeaders(world.issuer),
      body: JSON.stringify({ link_token: link }),
    });
    assert(reply.status === 204, "the link signs in");
    const [cookie, page] = (reply.headers["set-cookie"] ?? []).map((line) => line.split(";")[0] ?? "");
    assert(cookie !== undefined && page !== undefined, "the session's cookies come back");
    return new Person(world, cookie, page.slice(page.indexOf("=") + 1));
  }

  get(path: string): Promise<Reply> {
    return send(this.world.issuer, "GET", `/trusted/v1${path}`, {
      headers: { cookie: this.cookie, "sec-fetch-site": "same-origin" },
    });
  }

  post(path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return send(this.world.issuer, "POST", `/trusted/v1${path}`, {
      headers: { ...pageHeaders(this.world.issuer, this.pageToken), cookie: this.cookie, ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Connects an account at the practice shop by the API's form. */
  async connectShop(route: "http"): Promise<string> {
    const begun = await this.post("/connections", { destination: "practice-shop", route });
    const ref = String(begun.json["continuation_ref"]);
    await this.signInAtShop(ref);
    return String(begun.json["account_ref"]);
  }

  async signInAtShop(ref: string): Promise<void> {
    const { shop } = this.world;
    const begin = await this.post(`/continuations/${ref}/begin`);
    assert(begin.status === 200 && begin.json["mode"] === "form", `the form begins: ${begin.text}`);
    const first = await this.post(`/continuations/${ref}/form`, {
      values: { email: shop.user.email, password: shop.user.password },
    });
    assert(first.json["kind"] === "more", `the code is asked for: ${first.text}`);
    const second = await this.post(`/continuations/${ref}/form`, { values: { code: shop.currentCode() } });
    assert(second.json["kind"] === "done", `the sign-in is done: ${second.text}`);
  }

  async grant(consentRef: string, accountRef: string, change: JsonObject = {}): Promise<Reply> {
    const asked = (await this.get(`/consents/${consentRef}`)).json["asked"] as JsonObject;
    return this.post(`/consents/${consentRef}/decision`, {
      decision: "grant",
      account_ref: accountRef,
      ...asked,
      ...change,
    });
  }

  /** Waits until a task's record waits for a decision, and reads what the page would read. */
  async approvalFor(taskId: string): Promise<JsonObject> {
    const inbox = await until(
      () => this.get("/inbox"),
      (reply) => reply.text.includes('"approval"'),
      `an approval for ${taskId}`,
    );
    const items = inbox.json["items"] as { kind: string; href: string }[];
    for (const item of items.filter((i) => i.kind === "approval")) {
      const view = await this.get(item.href);
      if (view.json["task_id"] === taskId) return view.json;
    }
    throw new Error("the approval in the inbox is of another task");
  }

  async decide(view: JsonObject, decision: "approved" | "denied", more: JsonObject = {}): Promise<Reply> {
    const action = view["action"] as { private: { display_text: string } };
    return this.post(`/approvals/${String(view["action_id"])}/decision`, {
      decision,
      action_digest: view["action_digest"],
      surface: { version: "test", display_digest: action.private.display_text },
      ...more,
    });
  }
}

/** As a page of the trusted interface calls its server; without a token, as one where nobody is signed in. */
export function pageHeaders(issuer: string, token = "1"): Record<string, string> {
  return {
    "content-type": "application/json",
    "x-countersign": token,
    origin: issuer,
    "sec-fetch-site": "same-origin",
  };
}
