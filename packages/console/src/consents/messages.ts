/** The words for what limits a grant, how it was used, and how it is narrowed. */
export const GRANT_WORDS = {
  more: "More limits",
  moreExplain: "Leave a field empty for no such limit. Where the agent asked for one, you may only lower it.",
  /** The periods are rolling: they end at the moment of each action. */
  periods: {
    day: "In any 24 hours",
    week: "In any 7 days",
    month: "In any 31 days",
    total: "In all",
  },
  sum: "at most, in money",
  count: "at most, actions",
  periodsWrong:
    "Type amounts such as 50.00, a currency above, and whole numbers of actions; nothing above what was asked.",
  payees: "May only pay",
  payeesHint: "One payee a line, as the site names it, for example shop.example.",
  items: "May only touch these items",
  itemsHint: "One item a line, by the site's own number.",
  namesWrong: "At most 20 lines, and only what was asked for.",
  hoursOnly: "Only at certain hours",
  from: "From",
  to: "To",
  zone: "Time zone",
  days: "Days on which these hours begin",
  dayNames: {
    mon: "Monday",
    tue: "Tuesday",
    wed: "Wednesday",
    thu: "Thursday",
    fri: "Friday",
    sat: "Saturday",
    sun: "Sunday",
  },
  hoursWrong: "Give both times, a zone such as Europe/Berlin and at least one day, within what was asked.",
  /** Of a limit that stands. */
  perPeriod: (sum: string | undefined, count: number | undefined) =>
    [sum, count === undefined ? undefined : actions(count)].filter((part) => part !== undefined).join(", "),
  hours: (from: string, to: string, zone: string, days: string) =>
    `${from} to ${to} (${zone})${days === "" ? "" : `, beginning on ${days}`}`,
  hoursLabel: "Hours",
  usage: "What it was used for",
  unused: "Nothing has been submitted under this grant.",
  actions,
  uncertain: (count: number) =>
    `Of these, ${actions(count)} may have happened: the destination is being read back. Until that is known, they count.`,
  openAfterRevoke: (count: number) =>
    `${count === 1 ? "One submission is" : `${count} submissions are`} still open. The gateway reads the account to learn what became of ${count === 1 ? "it" : "them"}, and does nothing else there.`,
  sums: "Spent",
  lastUsed: "Last used",
  left: "Still allowed",
  tasks: "Tasks under this grant",
  narrow: "Narrow this grant",
  narrowExplain:
    "Take a part back. A grant only ever gets narrower; proposals that no longer fit are stopped at once. To allow more, have the agent ask again.",
  narrowAction: "Narrow",
  narrowed: "The grant is narrower now.",
  limitsWrong: {
    periods: "Put the limits of a period right.",
    payees: "Put the list of payees right.",
    items: "Put the list of items right.",
    hours: "Put the hours right.",
  },
} as const;

function actions(count: number): string {
  return count === 1 ? "1 action" : `${count} actions`;
}
