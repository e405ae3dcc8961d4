import { DAY_MS } from "@countersign/wire";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Further away than this, a date says more than a number of days. */
const RELATIVE_MS_MAX = 7 * DAY_MS;
const NOW_MS = 45_000;

export interface Formats {
  readonly relative: Intl.RelativeTimeFormat;
  readonly date: Intl.DateTimeFormat;
}

/** How far an instant is from now, in the person's words; a date where that says more. */
export function relativeText(at: number, now: number, formats: Formats): string {
  const away = at - now;
  const far = Math.abs(away);
  if (far < NOW_MS) return formats.relative.format(0, "second");
  if (far < HOUR_MS) return formats.relative.format(Math.round(away / MINUTE_MS), "minute");
  if (far < DAY_MS) return formats.relative.format(Math.round(away / HOUR_MS), "hour");
  if (far < RELATIVE_MS_MAX) return formats.relative.format(Math.round(away / DAY_MS), "day");
  return formats.date.format(at);
}
