export type { FaultScope, ShopControl } from "./control/control.ts";
export type { Counters } from "./control/counters.ts";
export type { LoggedRequest } from "./control/request-log.ts";
export type { CommitKind, FaultAnswer, SwitchName, SwitchSetting } from "./control/switches.ts";
export type { Order, PracticeUser, PricedLine } from "./shop/model.ts";
export { PRACTICE_USER } from "./shop/seed.ts";
export { type PracticeShop, type PracticeShopOptions, startPracticeShop } from "./start.ts";
