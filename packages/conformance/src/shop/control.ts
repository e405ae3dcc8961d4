import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import { SuiteTrouble } from "../check.ts";
import { call } from "../http.ts";

/** What the shop counted; see the practice shop's `Counters`. */
export interface ShopCounters {
  /** POSTs that reached a commit endpoint, whatever became of them. */
  readonly submits: number;
  /** Orders placed through a commit endpoint. */
  readonly orders: number;
  /** Requests that carried a token which the shop did not issue. */
  readonly foreignTokens: number;
}

export interface ShopOrder {
  readonly number: string;
  readonly totalMinor: number;
}

/** The practice shop's control port: fault switches and counters. */
export interface Shop {
  counters(): Promise<ShopCounters>;
  /** Newest first. */
  orders(): Promise<readonly ShopOrder[]>;
  /** Turns one switch on; see the practice shop's `SwitchSetting`. */
  set(setting: JsonObject): Promise<void>;
  /** Turns every switch off. */
  calm(): Promise<void>;
  /** Ends every session and token at the shop. */
  endSessions(): Promise<void>;
  /** The six digits that the person's authenticator shows now. */
  currentCode(): Promise<string>;
}

export function shopAt(controlOrigin: string): Shop {
  const ask = async (method: "GET" | "POST" | "DELETE", path: string, body?: JsonObject): Promise<JsonObject> => {
    const answer = await call({
      method,
      url: new URL(path, controlOrigin).href,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    if (answer.status !== 200 || answer.json === undefined || !isJsonObject(answer.json))
      throw new SuiteTrouble(`the shop's control port answered ${answer.status} to ${method} ${path}`);
    return answer.json;
  };
  return {
    async counters() {
      const json = await ask("GET", "/counters");
      return {
        submits: numberOf(json["submits"]),
        orders: numberOf(json["orders"]),
        foreignTokens: numberOf(json["foreignTokens"]),
      };
    },
    async orders() {
      const { orders } = await ask("GET", "/orders");
      if (!Array.isArray(orders)) throw new SuiteTrouble("the shop's control port lists no orders");
      return orders.map((order: Json) => {
        const row = isJsonObject(order) ? order : {};
        return { number: String(row["number"]), totalMinor: numberOf(row["total_minor"]) };
      });
    },
    async set(setting) {
      await ask("POST", "/switches", setting);
    },
    async calm() {
      await ask("DELETE", "/switches");
    },
    async endSessions() {
      await ask("POST", "/end-session", {});
    },
    async currentCode() {
      return String((await ask("GET", "/current-code"))["code"]);
    },
  };
}

function numberOf(value: Json | undefined): number {
  if (typeof value !== "number") throw new SuiteTrouble("the shop's control port gave no number where one belongs");
  return value;
}
