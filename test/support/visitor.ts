import type { JsonObject } from "@countersign/wire";
import { type Reply, send } from "./http.ts";
import { pageHeaders } from "./person.ts";

/** A browser at the trusted interface that keeps its cookies, signed in or not. */
export class Visitor {
  readonly #issuer: string;
  readonly cookies = new Map<string, string>();
  readonly #agent: string;

  constructor(issuer: string, userAgent = "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0 Safari/537.36") {
    this.#issuer = issuer;
    this.#agent = userAgent;
  }

  get(path: string): Promise<Reply> {
    return this.#send("GET", path);
  }

  post(path: string, body: JsonObject = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.#send("POST", path, JSON.stringify(body), headers);
  }

  async byLink(link: string): Promise<Reply> {
    return this.post("/session", { link_token: link });
  }

  async #send(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const reply = await send(this.#issuer, method, `/trusted/v1${path}`, {
      headers: {
        ...pageHeaders(this.#issuer, this.cookies.get("__Host-countersign-page")),
        "user-agent": this.#agent,
        ...(cookie === "" ? {} : { cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of reply.headers["set-cookie"] ?? []) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      if (line.includes("Max-Age=0")) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return reply;
  }
}
