import { addDays } from "../bank/days.ts";
import type { Claim, Policy } from "./model.ts";

export const INSURER_NAME = "Fairhaven Mutual";
export const CLAIMS_COMPANY = "Brightwell Claims";
export const MEMBER_NUMBER = "4482-1097";
export const CURRENCY = "GBP";
/** Where the insurer pays to, as the person has told it by letter. */
export const PAID_TO = "account ending 7741";
export const DECLARATION = "What I have said here is complete and true, to the best of my knowledge.";

export function policiesAt(today: string): readonly Policy[] {
  return [
    {
      id: "pol-home-204418",
      number: "FMH-204418",
      name: "Home insurance",
      kind: "home",
      startsOn: addDays(today, -211),
      endsOn: addDays(today, 153),
      premiumMinor: 2_740,
      premiumPer: "month",
      excessMinor: 25_000,
      claimMaxMinor: 6_000_000,
      covers: [
        { title: "Buildings", limitMinor: 45_000_000, usedMinor: 0, percent: 100, note: "" },
        { title: "Contents", limitMinor: 6_000_000, usedMinor: 112_400, percent: 100, note: "New for old" },
        { title: "Escape of water", limitMinor: 5_000_000, usedMinor: 0, percent: 100, note: "" },
        {
          title: "Theft away from home",
          limitMinor: 250_000,
          usedMinor: 0,
          percent: 80,
          note: "Not from an unlocked car",
        },
      ],
    },
    {
      id: "pol-car-771903",
      number: "FMC-771903",
      name: "Car insurance",
      kind: "car",
      startsOn: addDays(today, -40),
      endsOn: addDays(today, 324),
      premiumMinor: 48_610,
      premiumPer: "year",
      excessMinor: 35_000,
      claimMaxMinor: 1_850_000,
      covers: [
        { title: "Damage to your car", limitMinor: 1_850_000, usedMinor: 0, percent: 100, note: "" },
        { title: "Windscreen and glass", limitMinor: 50_000, usedMinor: 0, percent: 100, note: "" },
        { title: "Belongings in the car", limitMinor: 30_000, usedMinor: 0, percent: 100, note: "" },
      ],
    },
  ];
}

/** Claims of earlier years and months, oldest first. */
export function claimsAt(today: string, nowMs: number): readonly Claim[] {
  const day = (ago: number) => addDays(today, -ago);
  const sent = (ago: number) => ({ submittedOn: day(ago), submittedAtMs: nowMs - ago * 86_400_000 });
  return [
    {
      number: "FM-230418",
      title: "Bicycle taken from the shed",
      description: "My bicycle was taken from the locked shed at night. The police have the frame number.",
      policy: "pol-home-204418",
      happenedOn: day(205),
      ...sent(203),
      amountMinor: 137_400,
      excessMinor: 25_000,
      ownReference: "",
      status: "paid",
      approvedMinor: 112_400,
      paidMinor: 112_400,
      paidOn: day(180),
    },
    {
      number: "FM-233962",
      title: "Scratched dining table",
      description: "The table was scratched when it was moved.",
      policy: "pol-home-204418",
      happenedOn: day(96),
      ...sent(95),
      amountMinor: 31_000,
      excessMinor: 25_000,
      ownReference: "Table",
      status: "declined",
    },
    {
      number: "FM-237105",
      title: "Windscreen cracked by a stone",
      description: "A stone from a lorry cracked the windscreen on the ring road.",
      policy: "pol-car-771903",
      happenedOn: day(12),
      ...sent(11),
      amountMinor: 46_820,
      excessMinor: 35_000,
      ownReference: "",
      status: "being_assessed",
    },
  ];
}
