import { z } from "zod";
import { NAME_CHARS_MAX } from "../limits.ts";

/** The socket's name in the data directory. */
export const ADMIN_SOCKET = "gateway.sock";

/** What the operator can ask of a running gateway. */
export const adminCommand = z.discriminatedUnion("command", [
  z.strictObject({ command: z.literal("status") }),
  z.strictObject({ command: z.literal("link") }),
  z.strictObject({ command: z.literal("agent_add"), name: z.string().min(1).max(NAME_CHARS_MAX) }),
  z.strictObject({ command: z.literal("agent_credential"), client_id: z.string().max(100) }),
]);
export type AdminCommand = z.infer<typeof adminCommand>;
