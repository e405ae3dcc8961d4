import { addDays, addMonths } from "./days.ts";
import type { Holder, Offer, Plan, Product, Subscription } from "./model.ts";

export const SERVICE_NAME = "Lantern";
export const CURRENCY = "EUR";

const HALF_PRICE: Offer = {
  id: "half",
  title: "Half price for three months",
  text: "Stay and pay €6.99 a month for the next three months, then €13.99 a month again.",
  take: "Stay for half the price",
};

/** What a switch puts in place of the first offer: what is offered is of the moment. */
export const BETTER: Offer = {
  id: "better",
  title: "One month as our guest",
  text: "Stay and the next month costs nothing; after that €13.99 a month again.",
  take: "Stay for a free month",
};

const PAUSE: Offer = {
  id: "pause",
  title: "Take a break instead",
  text: "Pause for up to three months. Your lists stay, and nothing is charged while you are away.",
  take: "Pause my plan",
};

const STUDENT: Offer = {
  id: "solo",
  title: "Listening alone?",
  text: "The Solo plan is €5.99 a month: one device, all the songs.",
  take: "Move me to Solo",
};

const plan = (id: string, name: string, priceMinor: number, about: string, more: Partial<Plan> = {}): Plan => ({
  id,
  name,
  about,
  priceMinor,
  period: "month",
  ...more,
});

export const PRODUCTS: readonly Product[] = [
  {
    id: "lantern",
    title: "Lantern",
    merchant: "Lantern Media Ltd",
    plans: [
      plan("basic", "Basic with adverts", 599, "One screen, HD, a few adverts an hour."),
      plan("standard", "Standard", 1399, "Two screens at once, Full HD, downloads."),
      plan("premium", "Premium", 1899, "Four screens at once, 4K, downloads on six devices."),
      plan("standard-year", "Standard, by the year", 13_990, "Two months less than by the month.", { period: "year" }),
      plan("standard-half", "Standard, half price for three months", 699, "What we offer you for staying.", {
        thenMinor: 1399,
      }),
    ],
    lost: "Your watch history and your lists are deleted ten months after that day. Downloads stop playing on that day. There is no refund for days that are left.",
    offers: [HALF_PRICE, PAUSE],
  },
  {
    id: "tunes",
    title: "Lantern Tunes",
    merchant: "Lantern Media Ltd",
    plans: [
      plan("solo", "Solo", 599, "One device, all the songs."),
      plan("duo", "Duo", 1099, "Two people, two libraries."),
      plan("house", "House", 1699, "Six people under one roof."),
    ],
    lost: "Your playlists stay for a year. The second person's library ends with yours.",
    offers: [STUDENT],
  },
  {
    id: "arena",
    title: "Arena Sport Pass",
    merchant: "Arena Broadcasting",
    plans: [
      plan("arena-month", "Arena, monthly", 1499, "Every match, home and away."),
      plan("arena-season", "Arena, by the year", 11_900, "Every match for twelve months.", { period: "year" }),
    ],
    lost: "The trial ends with it and cannot be had again.",
    offers: [],
  },
  {
    id: "tales",
    title: "Bedtime Tales",
    merchant: "Fireside Audio",
    plans: [plan("tales-month", "Bedtime Tales", 349, "A new story each evening.")],
    lost: "Stories that were saved go with it.",
    offers: [],
  },
];

export function productOf(id: string): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}

function planOf(product: string, id: string): Plan {
  const found = productOf(product)?.plans.find((each) => each.id === id);
  if (found === undefined) throw new Error(`the practice subscription service has no plan ${id}`);
  return found;
}

/** What the practice person has there, whatever the day. */
export function seedSubscriptions(today: string): readonly Subscription[] {
  const monthly = (id: string, planId: string, daysAgo: number): Subscription => {
    const periodFrom = addDays(today, -daysAgo);
    return {
      id,
      plan: planOf(id, planId),
      state: "active",
      periodFrom,
      paidUntil: addMonths(periodFrom, 1),
      lastOn: periodFrom,
      taken: [],
    };
  };
  return [
    monthly("lantern", "standard", 12),
    monthly("tunes", "duo", 20),
    {
      id: "arena",
      plan: planOf("arena", "arena-month"),
      state: "trial",
      periodFrom: addDays(today, -5),
      paidUntil: addDays(today, 9),
      taken: [],
    },
    { ...monthly("tales", "tales-month", 3), state: "paused" },
  ];
}

export const HOLDER: Holder = {
  billing: {
    name: "Alex Example",
    line1: "14 Harbour Street",
    line2: "",
    postcode: "D02 XY45",
    city: "Dublin",
    country: "IE",
  },
  email: "alex@practice.example",
  phone: "+353201234567",
};
