/** The clinic's days are those of its own town. */
export const ZONE = "Europe/Dublin";
const MINUTE_MS = 60_000;

const PARTS = new Intl.DateTimeFormat("en-GB", {
  timeZone: ZONE,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** The town's clock at an instant, as if it were UTC. */
function clockMs(atMs: number): number {
  const parts = PARTS.formatToParts(atMs);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
}

/** The town's day of an instant, `YYYY-MM-DD`. */
export function dayOf(atMs: number): string {
  return new Date(clockMs(atMs)).toISOString().slice(0, 10);
}

/**
 * The instant of a day and time of the town, both as the clinic prints them; undefined for one that does not exist, or
 * exists twice, in the night in which clocks are changed.
 */
export function instantOfLocal(day: string, time: string): number | undefined {
  const wall = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wall)) return undefined;
  // Whatever the offset is there, it is that of the day before or of the day after.
  const fits = [-1, 1].map((days) => {
    const near = wall + days * 24 * 60 * MINUTE_MS;
    return wall - (clockMs(near) - near);
  });
  const found = new Set(fits.filter((at) => clockMs(at) === wall));
  const [only] = found;
  return found.size === 1 ? only : undefined;
}
