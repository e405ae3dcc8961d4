import type { IncomingMessage } from "node:http";
import { orderWire } from "../api/wire.ts";
import { type Answer, json } from "../http/reply.ts";
import type { World } from "../shop/world.ts";
import { answerPort, DONE } from "../site/port.ts";
import { createControl, problemWith } from "./control.ts";
import { DEFAULT_TITLE_SKU, type SwitchSetting } from "./switches.ts";

/** The shop's control port: what every site's has, and `GET /orders /bank-code`, `POST /bank/approve /bank/drop`. */
export function answerControl(world: World, request: IncomingMessage): Promise<Answer> {
  const control = createControl(world);
  const done = (act: () => void) => (): Answer => {
    act();
    return json(200, DONE);
  };
  return answerPort<SwitchSetting>(
    {
      control,
      problemWith: (setting) => problemWith(world, setting),
      withDefaults: (body) => (body["switch"] === "title" ? { sku: DEFAULT_TITLE_SKU, ...body } : body),
      more: {
        "GET /orders": () => json(200, { orders: control.orders().map(orderWire) }),
        "GET /bank-code": () => json(200, { code: control.bankCode() ?? null }),
        "POST /bank/approve": done(control.bankApproves),
        "POST /bank/drop": done(control.bankDrops),
      },
    },
    request,
  );
}
