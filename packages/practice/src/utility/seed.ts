import { addDays, monthName, monthStart } from "./days.ts";
import type { Bill, Contract, ContractState, Method, Plan, Reading } from "./model.ts";

export const UTILITY_NAME = "Northlight Energy";
export const UTILITY_CUSTOMER_NUMBER = "55308817";
export const CURRENCY = "EUR";

export const METHODS: readonly Method[] = [
  { id: "pm-bank", label: "Bank account ending 3000", feeCents: 0 },
  { id: "pm-visa", label: "Visa card ending 4242", feeCents: 35 },
];
export const FIRST_PRESET = "pm-visa";

const PLACE = "4 Mill Lane, Dublin";
export const CONTRACTS: readonly Contract[] = [
  { id: "447103", kind: "electricity", title: "Electricity at home", place: PLACE, meter: "10 005 881 734" },
  { id: "447118", kind: "gas", title: "Gas at home", place: PLACE, meter: "5 540 912" },
];
export const FIRST_SETTINGS: Readonly<Record<string, ContractState>> = {
  "447103": { plan: "el-basic" },
  "447118": { plan: "gas-flex" },
};

export const PLANS: readonly Plan[] = [
  {
    id: "el-basic",
    kind: "electricity",
    name: "Northlight Basic",
    priceCents: 990,
    dueNowCents: 0,
    boundMonths: 0,
    text: "0.34 EUR for each kWh. Can be ended at the end of any month.",
  },
  {
    id: "el-green-12",
    kind: "electricity",
    name: "Northlight Green 12",
    priceCents: 1_290,
    dueNowCents: 0,
    boundMonths: 12,
    text: "0.31 EUR for each kWh, from wind and water. Ending it early costs 60.00 EUR.",
  },
  {
    id: "el-night",
    kind: "electricity",
    name: "Northlight Night",
    priceCents: 1_090,
    dueNowCents: 2_500,
    boundMonths: 6,
    text: "0.36 EUR for each kWh by day, 0.22 EUR between 22:00 and 06:00. The new meter is charged at the change.",
  },
  {
    id: "gas-flex",
    kind: "gas",
    name: "Gas Flex",
    priceCents: 790,
    dueNowCents: 0,
    boundMonths: 0,
    text: "0.12 EUR for each kWh. Can be ended at the end of any month.",
  },
  {
    id: "gas-fix-24",
    kind: "gas",
    name: "Gas Fix 24",
    priceCents: 690,
    dueNowCents: 0,
    boundMonths: 24,
    text: "0.11 EUR for each kWh, the same for two years. Ending it early costs 90.00 EUR.",
  },
];

/** Used in each of the last months, newest first. */
const ELECTRICITY = [
  "241.7",
  "228.4",
  "205.1",
  "198.0",
  "187.6",
  "192.3",
  "210.9",
  "236.5",
  "259.8",
  "281.2",
  "303.4",
  "288.7",
];
const GAS = ["96.2", "61.4", "22.8", "9.1", "7.7", "8.3", "31.5", "74.0", "121.6", "158.3", "171.9", "149.2"];
/** Months whose meters nobody has read. */
const ESTIMATED: ReadonlySet<number> = new Set([2, 7]);
const ELECTRICITY_BILLS = 7;
const GAS_BILLS = 3;
/** Days from the bill until it is due. */
const DUE_DAYS = 20;

function costCents(used: string, centsEach: number, baseCents: number): number {
  // Tenths of a unit, so that nothing goes through a fraction.
  return Math.round((Number(used.replace(".", "")) * centsEach) / 10) + baseCents;
}

/** Newest month first. */
export function readingsAt(today: string): readonly Reading[] {
  const rows = (contract: string, used: readonly string[], each: number, base: number): readonly Reading[] =>
    used.map((amount, at) => {
      const from = monthStart(today, -1 - at);
      return {
        contract,
        from,
        to: addDays(monthStart(today, -at), -1),
        used: amount,
        estimated: ESTIMATED.has(at),
        costCents: costCents(amount, each, base),
      };
    });
  return [...rows("447103", ELECTRICITY, 34, 990), ...rows("447118", GAS, 12, 790)].toSorted((a, b) =>
    a.from === b.from ? a.contract.localeCompare(b.contract) : a.from < b.from ? 1 : -1,
  );
}

/** Newest first. The newest of electricity and gas are open, one older is paid in part, and one is a credit. */
export function billsAt(today: string): readonly Bill[] {
  const readings = readingsAt(today);
  const of = (contract: string) => readings.filter((each) => each.contract === contract);
  const issued = addDays(today, -8);
  const electricity = of("447103")
    .slice(0, ELECTRICITY_BILLS)
    .map((reading, at): Bill => {
      const issuedOn = addDays(issued, -30 * at);
      return {
        id: String(208_841 - 30 * at),
        contract: reading.contract,
        title: `Electricity, ${monthName(reading.from)}`,
        issuedOn,
        dueOn: addDays(issuedOn, DUE_DAYS),
        from: reading.from,
        to: reading.to,
        totalCents: reading.costCents,
        paidCents: at === 0 ? 0 : at === 1 ? 5_000 : reading.costCents,
      };
    });
  const gas = of("447118")
    .slice(0, GAS_BILLS)
    .map((reading, at): Bill => {
      const issuedOn = addDays(issued, -1 - 30 * at);
      return {
        id: String(208_833 - 30 * at),
        contract: reading.contract,
        title: `Gas, ${monthName(reading.from)}`,
        issuedOn,
        dueOn: addDays(issuedOn, DUE_DAYS),
        from: reading.from,
        to: reading.to,
        totalCents: reading.costCents,
        paidCents: at === 0 ? 0 : reading.costCents,
      };
    });
  const credit: Bill = {
    id: "208610",
    contract: "447118",
    title: "Gas, yearly credit",
    issuedOn: addDays(issued, -75),
    dueOn: addDays(issued, -55),
    from: monthStart(today, -15),
    to: addDays(monthStart(today, -3), -1),
    totalCents: -1_840,
    paidCents: 0,
  };
  return [...electricity, ...gas, credit].toSorted((a, b) => (a.issuedOn < b.issuedOn ? 1 : -1));
}
