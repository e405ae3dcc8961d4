import { answerBankControl, type BankControl, createBankControl } from "./bank/control.ts";
import { bankSite } from "./bank/site.ts";
import { createBankWorld } from "./bank/world.ts";
import { answerClinicControl, type ClinicControl, createClinicControl } from "./clinic/control.ts";
import { clinicSite } from "./clinic/site.ts";
import { createClinicWorld } from "./clinic/world.ts";
import { createControl, type ShopControl } from "./control/control.ts";
import { answerControl } from "./control/port.ts";
import { shopSite } from "./shop/site.ts";
import { createWorld } from "./shop/world.ts";
import { dispatch } from "./site/dispatch.ts";
import { openSite, type PracticeSite, type PracticeSiteOptions, siteOptions } from "./site/start.ts";
import { answerUtilityControl, createUtilityControl, type UtilityControl } from "./utility/control.ts";
import { utilitySite } from "./utility/site.ts";
import { createUtilityWorld } from "./utility/world.ts";

export interface PracticeShopOptions extends PracticeSiteOptions {
  /** ISO 4217 code of every price; EUR when absent. Minor-unit figures stay the same. */
  readonly currency?: string;
}

export type PracticeShop = PracticeSite<ShopControl>;
export type PracticeBank = PracticeSite<BankControl>;
export type PracticeUtility = PracticeSite<UtilityControl>;
export type PracticeClinic = PracticeSite<ClinicControl>;

/**
 * Opens a practice shop on loopback: pages, JSON API, and a control port beside it. For tests, demos and adapters;
 * it stands for a destination and shares nothing with the gateway.
 */
export function startPracticeShop(options: PracticeShopOptions = {}): Promise<PracticeShop> {
  const common = siteOptions(options);
  const world = createWorld({ ...common, currency: options.currency ?? "EUR" });
  return openSite(options, common, {
    answer: (request, callers) => dispatch(shopSite, world, request, callers),
    answerControl: (request) => answerControl(world, request),
    control: createControl(world),
  });
}

/** Opens a practice bank on loopback: pages, an API for programs that the person has let in (OAuth), and a control port. */
export function startPracticeBank(options: PracticeSiteOptions = {}): Promise<PracticeBank> {
  const common = siteOptions(options);
  const world = createBankWorld(common);
  return openSite(options, common, {
    answer: (request, callers) => dispatch(bankSite, world, request, callers),
    answerControl: (request) => answerBankControl(world, request),
    control: createBankControl(world),
  });
}

/** Opens a practice clinic on loopback: pages with long lists, an API, a sign-in that asks on the phone, and a control port. */
export function startPracticeClinic(options: PracticeSiteOptions = {}): Promise<PracticeClinic> {
  const common = siteOptions(options);
  const world = createClinicWorld(common);
  return openSite(options, common, {
    answer: (request, callers) => dispatch(clinicSite, world, request, callers),
    answerControl: (request) => answerClinicControl(world, request),
    control: createClinicControl(world),
  });
}

/** Opens a practice electricity and gas provider on loopback: a single-page app, an API by a key, and a control port. */
export function startPracticeUtility(options: PracticeSiteOptions = {}): Promise<PracticeUtility> {
  const common = siteOptions(options);
  const world = createUtilityWorld(common);
  return openSite(options, common, {
    answer: (request, callers) => dispatch(utilitySite, world, request, callers),
    answerControl: (request) => answerUtilityControl(world, request),
    control: createUtilityControl(world),
  });
}
