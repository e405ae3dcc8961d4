/** What every adapter promises, in the words in which a broken one is told. */
export const PROMISES = {
  one_act: "One approval is one act at the site: no step, repeat or lost answer makes a second one.",
  boundary: "Nothing that commits leaves before the gateway itself sends it.",
  one_way_out: "Every request goes out through what the gateway gives; nothing goes around it.",
  approved_terms: "What is held, and what is observed just before it is sent, is what the site shows at that moment.",
  right_record: "A read-back finds this very act, or says that it cannot tell.",
  evidence: "Success is only what the site confirms, a refusal only what the site refuses; all else is unknown.",
  sign_in: "When the site wants the person, the adapter says so, and takes nothing else from that page.",
  whole_page: "Half a page, or another page in its place, is never read as the page.",
  money: "An amount is read exactly or not at all.",
  secrets: "Nothing secret, and nothing personal, stands in progress notes, logs, state or reasons.",
  abort: "A step that is given up ends.",
  contract: "What is returned is as the operation's catalogue entry and the adapter contract say.",
} as const;

export type PromiseName = keyof typeof PROMISES;
