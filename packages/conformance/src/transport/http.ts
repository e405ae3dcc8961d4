import { isJsonObject, type JsonObject } from "@countersign/wire";
import { call, type HttpAnswer } from "../http.ts";
import type { AgentPort, AgentTransport, Answer, TaskEvent, Transcript } from "./transport.ts";

/** Differs between equal answers at different moments, or belongs to one connection and not to the answer. */
const NOISE: ReadonlySet<string> = new Set(["date", "connection", "keep-alive"]);
/** Counts down with every call of the caller, whoever's thing was asked for. */
const COUNTING = /^(x-)?ratelimit-/;

/** The profile's HTTP binding. */
export function httpTransport(gateway: string, transcript: Transcript): AgentTransport {
  return {
    name: "http",
    as(access): AgentPort {
      const send = async (method: "GET" | "POST", path: string, body?: string, more: Record<string, string> = {}) => {
        const authorization = await access.authorization();
        const raw = await call({
          method,
          url: new URL(path, gateway).href,
          headers: {
            ...(authorization === undefined ? {} : { authorization }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...more,
          },
          ...(body === undefined ? {} : { body }),
        });
        transcript.add(`${JSON.stringify([...raw.headers])}\n${raw.text}`);
        return raw;
      };
      const get = async (path: string) => answerOf(await send("GET", path));
      const post = async (path: string, body: JsonObject | string) =>
        answerOf(await send("POST", path, typeof body === "string" ? body : JSON.stringify(body)));
      const task = (taskId: string) => `/v1/tasks/${encodeURIComponent(taskId)}`;
      return {
        submit: (request) => post("/v1/tasks", request),
        tasks: () => get("/v1/tasks"),
        task: (taskId) => get(task(taskId)),
        result: (taskId) => get(`${task(taskId)}/result`),
        receipt: (taskId) => get(`${task(taskId)}/receipt`),
        async events(taskId, after) {
          const raw = await send("GET", `${task(taskId)}/events`, undefined, {
            accept: "text/event-stream",
            ...(after === 0 ? {} : { "last-event-id": String(after) }),
          });
          const stream = raw.status === 200 && (raw.headers.get("content-type") ?? "").startsWith("text/event-stream");
          return { answer: answerOf(raw), events: stream ? readEvents(raw.text) : undefined };
        },
        cancel: (taskId) => post(`${task(taskId)}/cancel`, {}),
        accounts: () => get("/v1/accounts"),
        capabilities: (ref) => get(`/v1/accounts/${encodeURIComponent(ref)}/capabilities`),
        requestConsent: (body) => post("/v1/consents", body),
        consent: (ref) => get(`/v1/consents/${encodeURIComponent(ref)}`),
      };
    },
  };
}

function answerOf(raw: HttpAnswer): Answer {
  const body = raw.json !== undefined && isJsonObject(raw.json) ? raw.json : {};
  const reason = raw.status < 300 ? undefined : String(body["reason"] ?? `http_${raw.status}`);
  const headers = [...raw.headers].filter(([name]) => !NOISE.has(name) && !COUNTING.test(name)).sort();
  return {
    status: raw.status,
    reason,
    replayed: raw.headers.get("idempotency-replayed") === "true",
    body,
    text: raw.text,
    visible: JSON.stringify([raw.status, headers, raw.text]),
  };
}

/** Server-sent events whose data is one JSON object each. */
function readEvents(text: string): readonly TaskEvent[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) => block.split(/\r?\n/))
    .flatMap((lines): TaskEvent[] => {
      const id = lines
        .find((line) => line.startsWith("id:"))
        ?.slice(3)
        .trim();
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim());
      if (id === undefined || data.length === 0) return [];
      const json: unknown = JSON.parse(data.join("\n"));
      const state = typeof json === "object" && json !== null && "state" in json ? String(json.state) : "";
      return [{ seq: Number(id), state }];
    });
}
