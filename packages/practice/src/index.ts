export type { BankControl } from "./bank/control.ts";
export type { Transfer } from "./bank/model.ts";
export { CLIENT_ID as BANK_CLIENT_ID } from "./bank/oauth/client.ts";
export { CUSTOMER_NUMBER } from "./bank/seed.ts";
export type { BankSetting } from "./bank/switches.ts";
export type { BankCounters } from "./bank/world.ts";
export type { Offered, SiteBoard } from "./board/model.ts";
export { SHOP_SWITCHES } from "./board/shop.ts";
export type { Callers, SeenCall, SeenCaller, SignatureDemand } from "./callers/callers.ts";
export type { ClinicControl } from "./clinic/control.ts";
export type { Appointment } from "./clinic/model.ts";
export { PATIENT_NUMBER } from "./clinic/seed.ts";
export type { ClinicCounters } from "./clinic/world.ts";
export type { FaultScope, ShopControl } from "./control/control.ts";
export type { Counters } from "./control/counters.ts";
export type { CommitKind, SwitchName, SwitchSetting } from "./control/switches.ts";
export type { InsurerControl } from "./insurer/control.ts";
export type { Claim } from "./insurer/model.ts";
export { type PracticeInsurer, type PracticeInsurerOptions, startPracticeInsurer } from "./insurer/start.ts";
export type { InsurerSetting } from "./insurer/switches.ts";
export { INSURER_COOKIE, type InsurerCounters } from "./insurer/world.ts";
export type { Order, PricedLine } from "./shop/model.ts";
export type { SiteControl } from "./site/control.ts";
export { PRACTICE_USER, type PracticeUser } from "./site/person.ts";
export type { LoggedRequest } from "./site/request-log.ts";
export type { PracticeSite, PracticeSiteOptions } from "./site/start.ts";
export type { CommonSetting, FaultAnswer } from "./site/switches.ts";
export type { SiteCounters } from "./site/world.ts";
export {
  type PracticeBank,
  type PracticeClinic,
  type PracticeShop,
  type PracticeShopOptions,
  type PracticeUtility,
  startPracticeBank,
  startPracticeClinic,
  startPracticeShop,
  startPracticeUtility,
} from "./start.ts";
export type { LanternControl } from "./subscriptions/control.ts";
export type { HolderWish } from "./subscriptions/model.ts";
export { type PracticeSubscriptions, startPracticeSubscriptions } from "./subscriptions/start.ts";
export type { LanternSetting } from "./subscriptions/switches.ts";
export type { LanternCounters } from "./subscriptions/world.ts";
export type { UtilityControl } from "./utility/control.ts";
export type { Change as ContractChange, Payment as BillPayment } from "./utility/model.ts";
export { UTILITY_CUSTOMER_NUMBER } from "./utility/seed.ts";
export type { UtilityCounters } from "./utility/world.ts";
export { keyFromUtility, letInAtBank, Visitor } from "./visitor.ts";
export { type PracticeWorld, type PracticeWorldOptions, startPracticeWorld } from "./world.ts";
