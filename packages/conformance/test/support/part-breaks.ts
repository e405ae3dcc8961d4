import type { Egress } from "@countersign/gateway";
import type { AnySiteEntry, CommitAdapter, Site } from "@countersign/plugin";
import type { ActionRecord } from "@countersign/profile";
import { assert, isJsonObject, type Json } from "@countersign/wire";

/** Sends again when no answer came, as a client library with retries does. */
export function resendsLost(real: Egress): Egress {
  return {
    ...real,
    async sendOnce(request, mayLeave) {
      const first = await real.sendOnce(request, mayLeave);
      return first.ok ? first : real.sendOnce(request, mayLeave);
    },
  };
}

export function sendsTwice(real: Egress): Egress {
  return {
    ...real,
    async sendOnce(request, mayLeave) {
      await real.sendOnce(request, mayLeave);
      return real.sendOnce(request, mayLeave);
    },
  };
}

type OrderAdapter = CommitAdapter<never, unknown, unknown, never>;

/** The site with another adapter for its orders. */
function withOrders(site: Site, change: (real: OrderAdapter) => OrderAdapter): Site {
  const entries = site.entries.map(
    (entry): AnySiteEntry => ({
      ...entry,
      operations: entry.operations.map((adapter) =>
        adapter.effect === "commit" && adapter.operation === "retail.order.submit" ? change(adapter) : adapter,
      ),
    }),
  );
  return { ...site, entries };
}

/** Says what was approved, whatever the site shows. */
export function observesTheApproved(site: Site): Site {
  return withOrders(site, (real) => ({
    ...real,
    async observe(ctx, session, record, state) {
      const seen = await real.observe(ctx, session, record, state);
      return seen.kind === "done" ? { ...seen, value: { ...seen.value, terms: record.terms } } : seen;
    },
  }));
}

/** Takes totals for equal that differ by a cent. */
export function roundsTotals(site: Site): Site {
  return withOrders(site, (real) => ({
    ...real,
    async observe(ctx, session, record, state) {
      const seen = await real.observe(ctx, session, record, state);
      if (seen.kind !== "done") return seen;
      const near = Math.abs(totalOf(seen.value.terms as Json) - totalOf(record.terms as Json)) <= 1;
      return near ? { ...seen, value: { ...seen.value, terms: record.terms } } : seen;
    },
  }));
}

function totalOf(terms: Json): number {
  assert(isJsonObject(terms), "terms are an object");
  return Number(terms["total_minor"]);
}

/** Any error status is a refusal. */
export function takesErrorsForRefusals(site: Site): Site {
  return withOrders(site, (real) => ({
    ...real,
    recognise(answer, record: ActionRecord) {
      return answer.status >= 400
        ? { kind: "refused", why: `status ${answer.status}` }
        : real.recognise(answer, record);
    },
  }));
}
