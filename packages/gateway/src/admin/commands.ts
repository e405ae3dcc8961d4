import type { DemandedPolicy } from "@countersign/profile";
import { z } from "zod";
import { NAME_CHARS_MAX } from "../limits.ts";

/** The socket's name in the data directory. */
export const ADMIN_SOCKET = "gateway.sock";

const name = z.string().min(1).max(NAME_CHARS_MAX);
/** Whose link or agent it is; the first account holder's when absent. */
const personId = z.string().min(1).max(100);

const operation = z.string().min(1).max(128);
/** Spelled out: the command must not load the profile to say it. */
const demandedPolicy = z.enum(["session", "authority", "passkey"]) satisfies z.ZodType<DemandedPolicy>;

/** What the operator can ask of a running gateway. */
export const adminCommand = z.discriminatedUnion("command", [
  z.strictObject({ command: z.literal("status") }),
  z.strictObject({ command: z.literal("link"), person_id: personId.optional() }),
  /** Another account holder, in a tenant of their own. */
  z.strictObject({ command: z.literal("person_add"), name }),
  z.strictObject({ command: z.literal("agent_add"), name, person_id: personId.optional() }),
  z.strictObject({ command: z.literal("agent_credential"), client_id: z.string().max(100) }),
  /** Where a person is reached by mail; without an address it is taken away. */
  z.strictObject({
    command: z.literal("contact_set"),
    address: z.string().min(1).max(320).optional(),
    person_id: personId.optional(),
  }),
  z.strictObject({ command: z.literal("policy_list"), person_id: personId.optional() }),
  /** Who has to decide, in the tenant of that person; it tightens what the catalogue says. */
  z.strictObject({
    command: z.literal("policy_set"),
    operation,
    policy: demandedPolicy,
    person_id: personId.optional(),
  }),
  z.strictObject({ command: z.literal("policy_clear"), operation, person_id: personId.optional() }),
  z.strictObject({
    command: z.literal("keys_rotate"),
    role: z.enum(["approval", "receipt", "log"]).optional(),
    suspect_from: z.string().max(40).optional(),
  }),
  /** The keys that sign requests to destinations. */
  z.strictObject({ command: z.literal("identity_keys") }),
  z.strictObject({ command: z.literal("identity_rotate"), signer: z.string().max(100).optional() }),
  z.strictObject({ command: z.literal("identity_withdraw"), key_id: z.string().min(1).max(200) }),
]);
export type AdminCommand = z.infer<typeof adminCommand>;
