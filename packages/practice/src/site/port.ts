import type { IncomingMessage } from "node:http";
import { parseObject, readBody } from "../http/body.ts";
import { type Answer, json } from "../http/reply.ts";
import type { SiteControl } from "./control.ts";
import type { SiteCounters } from "./world.ts";

export const DONE = { done: true };

export interface ControlPort<S extends { readonly switch: string }> {
  /** All but the faults by name: those are set by their settings. */
  readonly control: Pick<
    SiteControl<S, SiteCounters>,
    | "answerPhone"
    | "clear"
    | "counters"
    | "currentCode"
    | "endSession"
    | "mailbox"
    | "phone"
    | "plantCanary"
    | "readBack"
    | "requests"
    | "reset"
    | "set"
    | "switches"
  >;
  readonly problemWith: (setting: S) => string | undefined;
  /** Fills what the function control fills by default, so that both doors take the same short settings. */
  readonly withDefaults: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** What this site has beside the common ones, by `METHOD /path`. */
  readonly more: Readonly<Record<string, () => Answer>>;
}

function setSwitch<S extends { readonly switch: string }>(port: ControlPort<S>, text: string): Answer {
  const { control } = port;
  const body = parseObject(text);
  if (!body) return json(400, { error: "invalid_request", message: "a JSON object is needed" });
  if (body["switch"] === "readBack" && body["state"] === "up") {
    control.readBack("up");
    return json(200, { switches: control.switches() });
  }
  const atDefault = body["switch"] === "delay" ? { at: "after_commit", ...body } : body;
  const setting = port.withDefaults(atDefault) as unknown as S;
  const problem = port.problemWith(setting);
  if (problem !== undefined) return json(422, { error: "invalid_switch", message: problem });
  control.set(setting);
  return json(200, { switches: control.switches() });
}

/**
 * Answers a control port: `GET /counters /requests /switches /current-code /mailbox /phone`, `POST /switches
 * /end-session /reset /canaries /phone`, `DELETE /switches`, and what the site adds. A request with an `Origin` comes from a web page and is refused: a page the
 * person happens to have open must not work the switches.
 */
export async function answerPort<S extends { readonly switch: string }>(
  port: ControlPort<S>,
  request: IncomingMessage,
): Promise<Answer> {
  const read = await readBody(request);
  if (request.headers.origin !== undefined) return json(403, { error: "forbidden" });
  if (!read.ok) return json(400, { error: "invalid_request", message: read.reason });
  const { control } = port;
  const asked = `${request.method} ${request.url}`;
  switch (asked) {
    case "GET /counters":
      return json(200, control.counters());
    case "GET /requests":
      return json(200, { requests: control.requests() });
    case "GET /switches":
      return json(200, { switches: control.switches() });
    case "GET /current-code":
      return json(200, { code: control.currentCode() });
    case "GET /mailbox":
      return json(200, { mails: control.mailbox() });
    case "GET /phone":
      return json(200, { question: control.phone() ?? null });
    case "POST /phone": {
      const answer = parseObject(read.text)?.["answer"];
      if (typeof answer !== "string") return json(400, { error: "invalid_request" });
      return control.answerPhone(answer) ? json(200, DONE) : json(409, { error: "nothing_asked" });
    }
    case "POST /switches":
      return setSwitch(port, read.text);
    case "DELETE /switches":
      for (const { switch: name } of control.switches()) control.clear(name);
      return json(200, DONE);
    case "POST /end-session":
      control.endSession();
      return json(200, DONE);
    case "POST /canaries": {
      const text = parseObject(read.text)?.["text"];
      if (typeof text !== "string" || text === "") return json(400, { error: "invalid_request" });
      control.plantCanary(text);
      return json(200, DONE);
    }
    case "POST /reset":
      control.reset();
      return json(200, DONE);
    default:
      return (Object.hasOwn(port.more, asked) ? port.more[asked]?.() : undefined) ?? json(404, { error: "not_found" });
  }
}
