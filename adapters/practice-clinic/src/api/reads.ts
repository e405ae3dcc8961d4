import type { ReadAdapter } from "@countersign/plugin";
import type { JsonObject } from "@countersign/plugin/site";
import { bodyOf, type HttpSession } from "@countersign/route-http";
import { appointmentRow } from "../shared/booking.ts";
import { appointmentsShape, billsShape, claimsShape } from "./shapes.ts";
import { walk } from "./walk.ts";

type Reading = ReadAdapter<JsonObject, JsonObject, HttpSession>;

export const appointmentsList: Reading = {
  effect: "read",
  operation: "healthcare.appointments.list",
  async read(_ctx, session, params) {
    const days = Object.fromEntries(
      ["from", "to"].flatMap((name) => (typeof params[name] === "string" ? [[name, params[name]]] : [])),
    );
    const rows = await walk(session, "/api/appointments", days, appointmentsShape, Number(params["limit"]));
    if (!rows.ok) return rows.reason;
    return { kind: "done", result: { appointments: rows.value.map(appointmentRow) } };
  },
};

export const billsList: Reading = {
  effect: "read",
  operation: "healthcare.bills.list",
  async read(_ctx, session, params) {
    const bills = bodyOf(await session.fetch("/api/bills"), 200, billsShape);
    if (!bills.ok) return bills.reason;
    const wanted = bills.value.filter((bill) => params["only"] !== "to_pay" || bill.open_cents > 0);
    const rows = wanted.slice(0, Number(params["limit"])).map((bill) => ({
      bill_ref: bill.id,
      number: bill.number,
      title: bill.title,
      patient: bill.patient,
      issued_on: bill.issued_on,
      due_on: bill.due_on,
      currency: bill.currency,
      total_minor: bill.total_cents,
      open_minor: bill.open_cents,
      status: bill.status,
    }));
    return { kind: "done", result: { bills: rows } };
  },
};

export const claimsList: Reading = {
  effect: "read",
  operation: "healthcare.claims.list",
  async read(_ctx, session, params) {
    const claims = bodyOf(await session.fetch("/api/claims"), 200, claimsShape);
    if (!claims.ok) return claims.reason;
    const rows = claims.value.slice(0, Number(params["limit"])).map((claim) => ({
      claim_ref: claim.id,
      number: claim.number,
      title: claim.title,
      person: claim.patient,
      provider: claim.provider,
      incident_on: claim.treated_on,
      submitted_on: claim.sent_on,
      status: claim.status,
      status_text: claim.status_text,
      currency: claim.currency,
      claimed_minor: claim.claimed_cents,
      ...(claim.approved_cents === undefined ? {} : { approved_minor: claim.approved_cents }),
      ...(claim.paid_cents === undefined ? {} : { paid_minor: claim.paid_cents }),
      ...(claim.paid_on === undefined ? {} : { paid_on: claim.paid_on }),
    }));
    return { kind: "done", result: { claims: rows } };
  },
};
