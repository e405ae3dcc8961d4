import type { JsonObject } from "@countersign/wire";
import { answer, jsonOf, type Meddle, problem, type Reply, type Seen, stringOf, withJson } from "./proxy.ts";

const TASKS = "/v1/tasks";
const isSubmit = ({ method, path }: Seen) => method === "POST" && path === TASKS;
const isTask = ({ method, path }: Seen) => method === "GET" && /^\/v1\/tasks\/[^/]+$/.test(path);
const taskIdIn = (path: string) => /^\/v1\/tasks\/([^/]+)/.exec(path)?.[1] ?? "";
const objectIn = (json: JsonObject, member: string): JsonObject => {
  const value = json[member];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
};
const without = (json: JsonObject, ...members: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !members.includes(name)));

/** Changes submissions on their way. */
const onSubmit =
  (change: (json: JsonObject) => JsonObject): Meddle =>
  (request, pass) =>
    // What is not JSON is none of its business.
    pass(isSubmit(request) && Object.keys(jsonOf(request)).length > 0 ? withJson(request, change) : request);

const onParameters = (change: (parameters: JsonObject) => JsonObject): Meddle =>
  onSubmit((json) => ({ ...json, parameters: change(objectIn(json, "parameters")) }));

/** Changes tasks as agents read them. */
const onTask =
  (change: (json: JsonObject) => JsonObject): Meddle =>
  async (request, pass) => {
    const reply = await pass(request);
    return isTask(request) && reply.status === 200 ? withJson(reply, change) : reply;
  };

const onConsentRequest =
  (change: (json: JsonObject) => JsonObject): Meddle =>
  (request, pass) =>
    pass(request.method === "POST" && request.path === "/v1/consents" ? withJson(request, change) : request);

/** A foreign reference is answered as if it were the caller's. */
export const takesForeignRefs: Meddle = async (request, pass) => {
  const reply = await pass(request);
  const taken = isSubmit(request) && reply.status === 404;
  return taken ? answer(201, { task_id: "task_taken", state: "received", operation: "x", account_ref: "x" }) : reply;
};

export const ignoresRevocation: Meddle = async (request, pass) => {
  const ref = /^\/trusted\/v1\/consents\/([^/]+)\/revoke$/.exec(request.path)?.[1];
  if (ref === undefined) return pass(request);
  const view = await pass({ ...request, method: "GET", path: `/trusted/v1/consents/${ref}`, text: "" });
  return withJson(view, (json) => ({ ...json, state: "revoked" }));
};

/** The decision's door opens to an agent's token. */
export const letsAgentsDecide = (): Meddle => {
  let cookie = "";
  return async (request, pass) => {
    if (request.headers["cookie"] !== undefined && cookie === "") cookie = request.headers["cookie"];
    const { authorization, ...headers } = request.headers;
    const forged = authorization !== undefined && request.path.startsWith("/trusted/v1/approvals/");
    return pass(forged ? { ...request, headers: { ...headers, cookie } } : request);
  };
};

/** Remembers the first answer of each key and gives it to whatever comes under that key. */
export const answersByKeyAlone = (): Meddle => {
  const first = new Map<string, Reply>();
  return async (request, pass) => {
    if (!isSubmit(request)) return pass(request);
    const key = String(jsonOf(request)["idempotency_key"]);
    const known = first.get(key);
    if (known !== undefined)
      return { ...known, status: 200, headers: { ...known.headers, "idempotency-replayed": "true" } };
    const reply = await pass(request);
    if (reply.status === 201) first.set(key, reply);
    return reply;
  };
};

export const invents = (member: string, value: string): Meddle => onSubmit((json) => ({ [member]: value, ...json }));

/** Says "forbidden" where somebody else's task is, and "not found" where none is. */
export const tellsWhatExists = (): Meddle => {
  const known = new Set<string>();
  return async (request, pass) => {
    const reply = await pass(request);
    if (isSubmit(request) && reply.status === 201) known.add(stringOf(jsonOf(reply)["task_id"]));
    return reply.status === 404 && known.has(taskIdIn(request.path)) ? problem(403, "forbidden") : reply;
  };
};

const PARAMETERS = ["item_ref", "quantity", "max_total_minor", "currency", "fulfillment_ref", "limit"];
export const dropsUnknownParameters: Meddle = onParameters((parameters) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => PARAMETERS.includes(name))),
);

/** A claim is forgotten once its outcome is unknown. */
export const forgetsUnknownClaims = (): Meddle => {
  const tasks = new Map<string, string>();
  return async (request, pass) => {
    if (!isSubmit(request)) return pass(request);
    const key = String(jsonOf(request)["idempotency_key"]);
    const taskId = tasks.get(key);
    if (taskId !== undefined) {
      const task = await pass({ ...request, method: "GET", path: `${TASKS}/${taskId}`, text: "" });
      if (jsonOf(task)["state"] === "outcome_unknown")
        return pass(withJson(request, (json) => ({ ...json, idempotency_key: `${key}_again` })));
    }
    const reply = await pass(request);
    if (reply.status === 201) tasks.set(key, stringOf(jsonOf(reply)["task_id"]));
    return reply;
  };
};

/** One flat space of keys for all callers. */
export const sharesKeys = (): Meddle => {
  const callers = new Map<string, string>();
  return async (request, pass) => {
    if (!isSubmit(request)) return pass(request);
    const key = String(jsonOf(request)["idempotency_key"]);
    const caller = request.headers["authorization"] ?? "";
    if ((callers.get(key) ?? caller) !== caller) return problem(409, "idempotency_conflict");
    callers.set(key, caller);
    return pass(request);
  };
};

/** A refused request spends its key. */
export const spendsKeysOnRefusals = (): Meddle => {
  const spent = new Set<string>();
  return async (request, pass) => {
    if (!isSubmit(request)) return pass(request);
    const key = String(jsonOf(request)["idempotency_key"]);
    if (spent.has(key)) return problem(409, "idempotency_conflict");
    const reply = await pass(request);
    if (reply.status === 400 || reply.status === 404) spent.add(key);
    return reply;
  };
};

const HOUR_MS = 3_600_000;
export const prolongsRequests: Meddle = onSubmit((json) => ({
  ...json,
  expires_at: new Date(Date.parse(String(json["expires_at"])) + HOUR_MS).toISOString(),
}));

export const hidesGaps: Meddle = async (request, pass) => {
  const reply = await pass(request);
  return reply.status === 422 ? problem(404, "not_found") : reply;
};

export const hidesItsDocument: Meddle = async (request, pass) =>
  request.path === "/openapi.json" ? problem(404, "not_found") : pass(request);

const MORE_MINOR = 1_000;
export const raisesCeilings: Meddle = onParameters((parameters) => {
  const { max_total_minor: max } = parameters;
  return typeof max === "number" ? { ...parameters, max_total_minor: max + MORE_MINOR } : parameters;
});

export const dropsReasons: Meddle = onTask((task) => without(task, "reason"));

export const changesResults: Meddle = async (request, pass) => {
  const reply = await pass(request);
  if (!request.path.endsWith("/result") || reply.status !== 200) return reply;
  return {
    ...reply,
    text: reply.text.replace(/"total_minor":(\d+)/, (_, n: string) => `"total_minor":${Number(n) + 1}`),
  };
};

/** Whoever cannot be told is taken for the last one who could. */
export const trustsAnyToken = (): Meddle => {
  let good = "";
  return async (request, pass) => {
    const reply = await pass(request);
    if (!request.path.startsWith("/v1/")) return reply;
    if (reply.status !== 401) good = request.headers["authorization"] ?? good;
    return reply.status === 401 && good !== ""
      ? pass({ ...request, headers: { ...request.headers, authorization: good } })
      : reply;
  };
};

export const admitsRevoked: Meddle = async (request, pass) => {
  const reply = await pass(request);
  const revoked = isSubmit(request) && jsonOf(reply)["reason"] === "grant_revoked";
  return revoked ? withJson(reply, (task) => ({ ...without(task, "reason"), state: "received" })) : reply;
};

export const widensGrants: Meddle = onConsentRequest((json) => ({
  ...json,
  operations: ["retail.orders.list", "retail.order.submit"],
}));

export const dropsLimits: Meddle = onConsentRequest((json) => without(json, "limits"));

export const dropsPeriods: Meddle = onConsentRequest((json) => ({
  ...json,
  ...(json["limits"] === undefined ? {} : { limits: without(objectIn(json, "limits"), "periods") }),
}));

/** After a revocation whatever was under way is called denied. */
export const callsRevokedDenied = (): Meddle => {
  let revoked = false;
  return async (request, pass) => {
    const reply = await pass(request);
    if (request.path.endsWith("/revoke")) revoked = true;
    const done = revoked && isTask(request) && jsonOf(reply)["state"] === "succeeded";
    return done ? withJson(reply, (task) => ({ ...task, state: "denied", reason: "grant_revoked" })) : reply;
  };
};

export const approvesRefusals: Meddle = async (request, pass) => {
  const decision = request.method === "POST" && request.path.startsWith("/trusted/v1/approvals/");
  return pass(decision ? { ...request, text: request.text.replace('"denied"', '"approved"') } : request);
};

export const sendsSignInAddress: Meddle = onTask((task) =>
  task["state"] === "authentication_required" ? { ...task, sign_in_url: "https://shop.example/sign-in" } : task,
);

/** A hand-off's link works for whoever has it. */
export const takesAnySession = (): Meddle => {
  let owner: { readonly cookie: string; readonly "x-countersign": string } | undefined;
  return async (request, pass) => {
    const { cookie, "x-countersign": token } = request.headers;
    if (cookie !== undefined && token !== undefined) owner ??= { cookie, "x-countersign": token };
    const handOff = request.path.startsWith("/trusted/v1/continuations/");
    return pass(handOff ? { ...request, headers: { ...request.headers, ...owner } } : request);
  };
};

export const losesAnEvent: Meddle = async (request, pass) => {
  const reply = await pass(request);
  if (!request.path.endsWith("/events") || reply.status !== 200) return reply;
  return { ...reply, text: reply.text.replace(/id: 2\n[\s\S]*?\n\n/, "") };
};

export const givesUp: Meddle = onTask((task) =>
  task["state"] === "outcome_unknown" ? { ...task, state: "failed", reason: "not_done" } : task,
);

export const alwaysCancels: Meddle = async (request, pass) => {
  const reply = await pass(request);
  const cancelled = request.path.endsWith("/cancel") && reply.status === 200;
  return cancelled ? withJson(reply, (task) => ({ ...task, state: "cancelled", reason: "withdrawn_by_agent" })) : reply;
};

/** No two wishes look alike to it. */
export const seesNoTwins = (): Meddle => {
  let more = 0;
  return (request, pass) => {
    if (!isSubmit(request)) return pass(request);
    more += 1;
    return pass(
      withJson(request, (json) => {
        const parameters = objectIn(json, "parameters");
        return {
          ...json,
          parameters: { ...parameters, max_total_minor: Number(parameters["max_total_minor"]) + more },
        };
      }),
    );
  };
};

/** Every task is given the receipt of the first. */
export const mixesReceiptsUp = (): Meddle => {
  let first: Reply | undefined;
  return async (request, pass) => {
    const reply = await pass(request);
    if (!request.path.endsWith("/receipt") || reply.status !== 200) return reply;
    first ??= reply;
    return first;
  };
};

/** What the person typed comes back where agents look. */
export const leaksPasswords = (): Meddle => {
  let typed = "";
  return async (request, pass) => {
    if (request.path.endsWith("/form")) typed = String(objectIn(jsonOf(request), "values")["password"] ?? typed);
    const reply = await pass(request);
    return isTask(request) && reply.status === 200 ? withJson(reply, (task) => ({ ...task, note: typed })) : reply;
  };
};

const EMPTY_SIGNATURE = "A".repeat(86);
export const signsNothing: Meddle = async (request, pass) => {
  const reply = await pass(request);
  if (!/\/(receipt|bundle)$/.test(request.path) || reply.status !== 200) return reply;
  return withJson(reply, (json) => ({
    ...json,
    receipt: stringOf(json["receipt"]).replace(/[^.]+$/, EMPTY_SIGNATURE),
  }));
};
