/** Days of the week as a grant names them, Monday first. */
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

interface Hours {
  readonly zone: string;
  /** `HH:MM`, local. */
  readonly from: string;
  /** `HH:MM` up to `24:00`; not within. Not after `from`: the next day. */
  readonly to: string;
  readonly days?: readonly Day[];
}

/** Where the local clock of a zone stands: the day of the week (0 is Monday) and the minute of that day. */
interface LocalTime {
  readonly day: number;
  readonly minute: number;
}

const DAY_MINUTES = 24 * 60;
const FORMATS_MAX = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/** True for a name of the IANA database (`Europe/Berlin`, `UTC`); offsets such as `+02:00` have no daylight saving. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    return formatOf(name).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

/**
 * Does the local clock of the zone stand within the hours, at this instant (milliseconds since 1970)? Each instant has
 * exactly one local time, so nothing is guessed at a change of the clocks: an hour that is skipped never comes, one that
 * is repeated counts both times.
 */
export function withinHours(hours: Hours, at: number): boolean {
  return covers(hours, localTime(hours.zone, at));
}

/**
 * True when `inner` never allows a minute that `outer` does not. Hours of different zones cannot be compared, for their
 * clocks change at different times: they count as wider.
 */
export function hoursWithin(inner: Hours, outer: Hours): boolean {
  if (inner.zone !== outer.zone) return false;
  for (let day = 0; day < DAYS.length; day++) {
    for (let minute = 0; minute < DAY_MINUTES; minute++) {
      if (covers(inner, { day, minute }) && !covers(outer, { day, minute })) return false;
    }
  }
  return true;
}

function covers({ from, to, days }: Hours, { day, minute }: LocalTime): boolean {
  const begins = minutes(from);
  const ends = minutes(to);
  const allows = (index: number) => {
    const name = DAYS[index];
    return days === undefined || (name !== undefined && days.includes(name));
  };
  if (begins < ends) return minute >= begins && minute < ends && allows(day);
  // Past midnight: either the evening of a day that is named, or the morning after one.
  return (minute >= begins && allows(day)) || (minute < ends && allows((day + 6) % 7));
}

function minutes(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}

function localTime(zone: string, at: number): LocalTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  const names: readonly string[] = DAYS;
  const day = names.indexOf(String(parts["weekday"]).toLowerCase());
  return { day, minute: Number(parts["hour"]) * 60 + Number(parts["minute"]) };
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(zone, made);
  return made;
}
