import { z } from "zod";
import { TASK_STATES } from "../states/states.ts";
import { TASK_CHANGED, WEBHOOK_URL_CHARS_MAX } from "./constants.ts";
import { taskView } from "./views.ts";

export const webhookRequest = z.strictObject({ url: z.string().min(1).max(WEBHOOK_URL_CHARS_MAX) });
export type WebhookRequest = z.infer<typeof webhookRequest>;

export const webhookView = z.object({
  webhook_id: z.string(),
  url: z.string(),
  /** `gone`: the receiver answered 410; register the address again. */
  state: z.enum(["active", "gone"]),
  /** Tries that failed since the last one that did not. */
  failures: z.int().min(0),
  created_at: z.iso.datetime({ offset: true }),
});
export type WebhookView = z.infer<typeof webhookView>;

/** The answer to a registration: the one time that the secret is shown. */
export const newWebhookView = webhookView.extend({ secret: z.string() });
export type NewWebhookView = z.infer<typeof newWebhookView>;

export const webhooksView = z.object({ webhooks: z.array(webhookView) });
export type WebhooksView = z.infer<typeof webhooksView>;

/** The body of a webhook: that a task has moved, and nothing else. Whoever hears it reads the task. */
export const taskChanged = z.object({
  type: z.literal(TASK_CHANGED),
  timestamp: z.iso.datetime({ offset: true }),
  data: z.object({
    task_id: taskView.shape.task_id,
    state: z.enum(TASK_STATES),
    revision: taskView.shape.revision,
  }),
});
export type TaskChanged = z.infer<typeof taskChanged>;
