import type { ReadOperation } from "@countersign/profile";
import { z } from "zod";

/** What an agent sees of the operation comes from here: its title, its parameters, what it answers. */
export const listLoans: ReadOperation = {
  id: "library.loans.list",
  title: "List what you have on loan",
  version: "1",
  effect: "read",
  sensitivity: "ordinary",
  parameters: z.strictObject({ limit: z.int().min(1).max(100).default(20) }),
  result: z.object({
    loans: z.array(z.object({ title: z.string().max(200), due: z.string().max(60) })).max(100),
  }),
  example: {
    parameters: { limit: 20 },
    result: { loans: [{ title: "The Lighthouse Stevensons", due: "2026-12-14" }] },
  },
};
