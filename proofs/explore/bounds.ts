import type { Bounds } from "./model.ts";

const ONE: Bounds = {
  name: "one task, two workers, a crash and a higher price",
  tasks: 1,
  workers: 2,
  clockEnd: 4,
  requestUntil: 2,
  grantUntil: 3,
  grantUses: 1,
  recordTicks: 1,
  otherTerms: [1],
  termChanges: 1,
  sessionLosses: 0,
  crashes: 1,
  overruns: 0,
  troubles: 0,
};

const QUIET = { termChanges: 0, crashes: 0 } as const;

/** One kind of trouble at a time: small enough for every run of the tests. */
export const SHORT: readonly Bounds[] = [
  { ...ONE, name: "one task, one worker, a crash and a lost session", workers: 1, sessionLosses: 1, termChanges: 0 },
  {
    ...ONE,
    name: "one task, two workers, any other terms",
    crashes: 0,
    otherTerms: [1, 2, 3, 4],
    requestUntil: 1,
    clockEnd: 3,
    grantUntil: 2,
  },
  { ...ONE, ...QUIET, name: "one task, two workers, a step that overruns", overruns: 1 },
  { ...ONE, ...QUIET, name: "two tasks of one grant for one of them, one worker", tasks: 2, workers: 1, clockEnd: 3 },
];

/** The whole: several kinds of trouble together, more time, two tasks with two workers. */
export const LONG: readonly Bounds[] = [
  ...SHORT,
  ONE,
  { ...ONE, name: "one task, one worker, a crash, a lost session and a higher price", workers: 1, sessionLosses: 1 },
  { ...ONE, name: "one task, two workers, the grant ends before the request", requestUntil: 3, grantUntil: 2 },
  {
    ...ONE,
    name: "one task, two workers, a record that lives longer",
    requestUntil: 3,
    clockEnd: 5,
    grantUntil: 4,
    recordTicks: 2,
  },
  { ...ONE, name: "one task, two workers, a lost session and a crash", sessionLosses: 1 },
  { ...ONE, name: "one task, two workers, trouble and a step that overruns", overruns: 1, troubles: 1, crashes: 0 },
  {
    ...ONE,
    name: "one task, two workers, terms that change twice",
    otherTerms: [1, 2, 3, 4],
    termChanges: 2,
    crashes: 0,
  },
  { ...ONE, name: "one task, two workers, two crashes", crashes: 2 },
  { ...ONE, ...QUIET, name: "two tasks of one grant for one of them, two workers", tasks: 2, clockEnd: 3 },
  { ...ONE, ...QUIET, name: "two tasks, one worker, a crash", tasks: 2, workers: 1, crashes: 1, grantUses: 2 },
];
