import type { IncomingMessage } from "node:http";
import { orderWire } from "../api/wire.ts";
import { parseObject, readBody } from "../http/body.ts";
import { type Answer, json } from "../http/reply.ts";
import type { World } from "../shop/world.ts";
import { createControl, problemWith } from "./control.ts";
import { DEFAULT_TITLE_SKU, type SwitchSetting } from "./switches.ts";

const DONE = { done: true };

/** Fills what the function control fills by default, so that both doors take the same short settings. */
function withDefaults(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (body["switch"] === "delay") return { at: "after_commit", ...body };
  if (body["switch"] === "title") return { sku: DEFAULT_TITLE_SKU, ...body };
  return body;
}

function setSwitch(world: World, text: string): Answer {
  const body = parseObject(text);
  if (!body) return json(400, { error: "invalid_request", message: "a JSON object is needed" });
  const control = createControl(world);
  if (body["switch"] === "readBack" && body["state"] === "up") {
    control.readBack("up");
    return json(200, { switches: control.switches() });
  }
  const setting = withDefaults(body) as unknown as SwitchSetting;
  const problem = problemWith(world, setting);
  if (problem !== undefined) return json(422, { error: "invalid_switch", message: problem });
  world.switches.set(setting);
  return json(200, { switches: control.switches() });
}

/**
 * Answers the control port: `GET /counters /orders /requests /switches /current-code /bank-code`, `POST /switches
 * /end-session /reset /canaries /bank/approve /bank/drop`, `DELETE /switches`. A request with an `Origin` comes from a web page and is refused: a page the
 * person happens to have open must not work the switches.
 */
export async function answerControl(world: World, request: IncomingMessage): Promise<Answer> {
  const read = await readBody(request);
  if (request.headers.origin !== undefined) return json(403, { error: "forbidden" });
  if (!read.ok) return json(400, { error: "invalid_request", message: read.reason });
  const control = createControl(world);
  switch (`${request.method} ${request.url}`) {
    case "GET /counters":
      return json(200, control.counters());
    case "GET /orders":
      return json(200, { orders: control.orders().map(orderWire) });
    case "GET /requests":
      return json(200, { requests: control.requests() });
    case "GET /switches":
      return json(200, { switches: control.switches() });
    case "GET /current-code":
      return json(200, { code: control.currentCode() });
    case "POST /switches":
      return setSwitch(world, read.text);
    case "DELETE /switches":
      world.switches.reset();
      return json(200, DONE);
    case "GET /bank-code":
      return json(200, { code: control.bankCode() ?? null });
    case "POST /bank/approve":
      control.bankApproves();
      return json(200, DONE);
    case "POST /bank/drop":
      control.bankDrops();
      return json(200, DONE);
    case "POST /end-session":
      control.endSession();
      return json(200, DONE);
    case "POST /canaries": {
      const text = parseObject(read.text)?.["text"];
      if (typeof text !== "string" || text === "") return json(400, { error: "invalid_request" });
      control.plantCanary(text);
      return json(200, DONE);
    }
    case "POST /reset":
      control.reset();
      return json(200, DONE);
    default:
      return json(404, { error: "not_found" });
  }
}
