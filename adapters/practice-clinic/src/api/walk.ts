import { type Attempt, ok, SiteTrouble } from "@countersign/plugin/site";
import { bodyOf, type HttpSession } from "@countersign/route-http";
import type { z } from "zod";
import { PARTS_MAX } from "../shared/limits.ts";

interface Part<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly next?: string | undefined;
}

/**
 * Every row of a list that comes in parts, or the first ones when no more are wanted.
 * @throws SiteTrouble when it changes while it is read, or ends before its own total.
 */
export async function walk<T>(
  session: HttpSession,
  path: string,
  query: Readonly<Record<string, string>>,
  shape: z.ZodType<Part<T>>,
  enough: number,
): Promise<Attempt<readonly T[]>> {
  const rows: T[] = [];
  let after: string | undefined;
  let total: number | undefined;
  for (let parts = 0; parts < PARTS_MAX; parts += 1) {
    const search = new URLSearchParams({ ...query, ...(after === undefined ? {} : { after }) });
    const part = bodyOf(await session.fetch(`${path}?${search}`), 200, shape);
    if (!part.ok) return part;
    total ??= part.value.total;
    if (part.value.total !== total) throw new SiteTrouble("the clinic's list changed while it was read");
    rows.push(...part.value.rows);
    if (rows.length >= enough) return ok(rows.slice(0, enough));
    after = part.value.next;
    if (after !== undefined) continue;
    if (rows.length !== total) throw new SiteTrouble("the clinic's list ends before its end");
    return ok(rows);
  }
  throw new SiteTrouble("the clinic's list does not end");
}
