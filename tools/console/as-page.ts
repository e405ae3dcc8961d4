import { assert, type JsonObject } from "@countersign/wire";
import { type Reply, send } from "../../test/support/http.ts";
import type { Device } from "./device.ts";

/** Calls of the server as the device's own pages make them, for what no person could do as fast. */
export class AsPage {
  readonly #issuer: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(issuer: string, headers: Readonly<Record<string, string>>) {
    this.#issuer = issuer;
    this.#headers = headers;
  }

  static async of(device: Device, issuer: string): Promise<AsPage> {
    const cookies = await device.context.cookies(issuer);
    const token = cookies.find(({ name }) => name === "__Host-countersign-page")?.value;
    assert(token !== undefined, "the device is signed in");
    return new AsPage(issuer, {
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
      "content-type": "application/json",
      "x-countersign": token,
      origin: issuer,
      "sec-fetch-site": "same-origin",
    });
  }

  get(path: string): Promise<Reply> {
    const { cookie = "" } = this.#headers;
    return send(this.#issuer, "GET", `/trusted/v1${path}`, { headers: { cookie, "sec-fetch-site": "same-origin" } });
  }

  post(path: string, body: JsonObject): Promise<Reply> {
    return send(this.#issuer, "POST", `/trusted/v1${path}`, { headers: this.#headers, body: JSON.stringify(body) });
  }

  /** Where the decision on this task waits. */
  async approvalOf(taskId: string): Promise<string> {
    const { items } = (await this.get("/inbox")).json as { items?: readonly { href: string; task_id?: string }[] };
    const item = items?.find((each) => each.task_id === taskId && each.href.startsWith("/approvals/"));
    assert(item !== undefined, "the decision waits in the inbox");
    return item.href;
  }

  /** How many orders the practice shop has counted. */
  async orders(): Promise<number> {
    const { counters } = (await this.get("/practice")).json as { counters?: { orders?: number } };
    assert(typeof counters?.orders === "number", "the practice shop counts");
    return counters.orders;
  }
}
