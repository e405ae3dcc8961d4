import { DAY_MS } from "@countersign/wire";
import type { Address, Delivery, Instrument, Membership, Product } from "./model.ts";

export const SHOP_NAME = "Harbour & Hill";

export const PRODUCTS: readonly Product[] = [
  {
    sku: "TL-200",
    title: "Trail Lamp 200",
    summary: "A head lamp that lasts the night.",
    description: "200 lumens, 40 hours on the low setting, charges by USB-C. Weighs 78 g with its strap.",
    unitMinor: 4490,
    stock: "in_stock",
    variants: [],
  },
  {
    sku: "WB-750",
    title: "Steel Bottle 750 ml",
    summary: "Keeps tea hot for twelve hours.",
    description: "Double-walled steel with a lid that does not leak. Fits most bicycle cages.",
    unitMinor: 2950,
    stock: "in_stock",
    optionName: "Colour",
    variants: [
      { sku: "WB-750-SAGE", name: "Sage" },
      { sku: "WB-750-SAND", name: "Sand" },
      { sku: "WB-750-INK", name: "Ink" },
    ],
  },
  {
    sku: "MS-2",
    title: "Merino Socks, two pairs",
    summary: "Warm when wet, quick to dry.",
    description: "Two pairs of mid-weight merino socks, one size from 38 to 43. Wash at 30 degrees.",
    unitMinor: 2400,
    stock: "in_stock",
    variants: [],
  },
  {
    sku: "PB-45",
    title: "Packable Backpack 45 l",
    summary: "A rucksack that fits into its own pocket.",
    description: "45 litres, 610 g, taped seams and a hip belt that comes off for the train.",
    unitMinor: 12900,
    stock: "in_stock",
    variants: [],
  },
  {
    sku: "CK-1",
    title: "Camp Kettle",
    summary: "One litre, boils in four minutes.",
    description: "Hard-anodised aluminium with a folding handle. Works on gas, wood and alcohol burners.",
    unitMinor: 3675,
    stock: "in_stock",
    variants: [],
  },
  {
    sku: "WN-9",
    title: "Walker's Notebook",
    summary: "Waterproof paper, 96 pages.",
    description: "Stone paper takes pencil and ballpoint in the rain. Thread-bound, lies flat.",
    unitMinor: 1250,
    stock: "sold_out",
    variants: [],
  },
];

export const DELIVERIES: readonly [Delivery, ...Delivery[]] = [
  { id: "standard", title: "Standard delivery", promise: "3 to 5 working days", priceMinor: 500 },
  { id: "express", title: "Express delivery", promise: "next working day", priceMinor: 990 },
  { id: "collect", title: "Collect in store", promise: "ready tomorrow", priceMinor: 0 },
];

export const ADDRESSES: readonly [Address, ...Address[]] = [
  { id: "home", label: "Home", lines: ["Alex Example", "14 Harbour Street", "Dublin 4"] },
  { id: "work", label: "Work", lines: ["Alex Example, 3rd floor", "2 Mill Lane", "Dublin 8"] },
];

export const INSTRUMENTS: readonly [Instrument, ...Instrument[]] = [
  { id: "card-4242", label: "Card ending 4242" },
  { id: "card-1881", label: "Card ending 1881" },
];

export interface SeedOrder {
  readonly agoMs: number;
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[];
  readonly delivery: string;
  readonly status: "Sent" | "Delivered";
  readonly note: string;
}

/** Oldest first, so that order numbers rise with time. */
export const PAST_ORDERS: readonly SeedOrder[] = [
  { agoMs: 121 * DAY_MS, lines: [{ sku: "PB-45", quantity: 1 }], delivery: "standard", status: "Delivered", note: "" },
  {
    agoMs: 40.3 * DAY_MS,
    lines: [
      { sku: "MS-2", quantity: 2 },
      { sku: "WB-750-SAGE", quantity: 1 },
    ],
    delivery: "express",
    status: "Delivered",
    note: "Please ring twice.",
  },
  { agoMs: 2.1 * DAY_MS, lines: [{ sku: "CK-1", quantity: 1 }], delivery: "collect", status: "Sent", note: "" },
];

/** The membership as it stands when the shop opens. */
export function seedMembership(nowMs: number): Membership {
  const day = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { plan: "Trail Club", priceMinor: 790, paidUntilMs: day + 18 * DAY_MS };
}
