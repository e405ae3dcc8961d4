import { z } from "zod";
import { ROWS_MAX } from "../../limits.ts";
import type { ReadOperation } from "../model.ts";
import { dateWindow, IN_ORDER, inOrder, instantText, reference, rowLimit, siteText } from "../shapes.ts";

/** When the person is expected where. */
export const healthcareAppointmentsList: ReadOperation = {
  id: "healthcare.appointments.list",
  title: "List appointments",
  about:
    "The appointments at this clinic, with when, where and with whom. What they are for is health data: it is marked as personal and stays out of logs and receipts.",
  version: "1",
  effect: "read",
  sensitivity: "critical",
  personalData: [
    "result/appointments/*/patient",
    "result/appointments/*/practitioner",
    "result/appointments/*/service",
  ],
  parameters: z.strictObject({ ...dateWindow, limit: rowLimit }).refine(inOrder, IN_ORDER),
  result: z.object({
    appointments: z
      .array(
        z.object({
          appointment_ref: reference,
          service: siteText,
          practitioner: siteText.exactOptional(),
          patient: siteText.exactOptional(),
          place: siteText.exactOptional(),
          online: z.boolean().exactOptional(),
          status: z.enum(["booked", "requested", "cancelled", "past", "other"]),
          starts_at: instantText,
          ends_at: instantText.exactOptional(),
        }),
      )
      .max(ROWS_MAX),
  }),
  example: {
    parameters: { from: "2026-12-01", limit: 10 },
    result: {
      appointments: [
        {
          appointment_ref: "ap_31",
          service: "Check-up",
          practitioner: "Dr. Example",
          place: "Practice at the park, room 2",
          online: false,
          status: "booked",
          starts_at: "2026-12-08T09:20:00+01:00",
          ends_at: "2026-12-08T09:40:00+01:00",
        },
      ],
    },
  },
};
