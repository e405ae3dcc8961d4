import { randomUUID } from "node:crypto";
import { FACE_URI, KEYS_PATH, SIGNATURE_HEADER } from "@countersign/a2a";
import { fromBase64Url, importPublicKey, type JsonObject, parsePublicJwk, toBase64Url } from "@countersign/wire";
import { orderData, sending } from "../../../test/support/a2a.ts";
import { call, stateOf } from "../../../test/support/a2a-wire.ts";
import { until } from "../../../test/support/http.ts";
import type { Delivered } from "../../../test/support/webhook.ts";
import { completed, deepStrictEqual, holds, idOf, type Kit, parked, type Row, reason, withdrawn } from "./kit.ts";

const both = (id: string, says: string, run: Row["run"]): Row => ({ id, says, over: "both", run });

function config(kit: Kit, more: JsonObject = {}): JsonObject {
  return {
    url: `${kit.receiver.url}/${randomUUID()}`,
    token: "client-made-token",
    authentication: { scheme: "Bearer", credentials: "client-made-credentials" },
    ...more,
  };
}

async function created(kit: Kit, taskId: string, more: JsonObject = {}): Promise<JsonObject> {
  const answer = await call(kit.wire, "CreateTaskPushNotificationConfig", { taskId, ...config(kit, more) });
  deepStrictEqual(answer.error, undefined);
  return answer.result;
}

function deliveries(kit: Kit, taskId: string): readonly Delivered[] {
  return kit.receiver.delivered.filter(({ body }) => body.includes(taskId));
}

async function delivered(kit: Kit, taskId: string): Promise<Delivered> {
  const [first] = await until(
    async () => deliveries(kit, taskId),
    (found) => found.length > 0,
    "a push",
  );
  holds(first !== undefined);
  return first;
}

export const PUSH_ROWS: readonly Row[] = [
  both("PUSH-CREATE-001", "it is stored, and its secrets are not told again", async (kit) => {
    const task = await parked(kit);
    const made = await created(kit, idOf(task));
    holds(typeof made["id"] === "string" && made["taskId"] === idOf(task));
    holds(!/client-made/.test(JSON.stringify(made)));
    await withdrawn(kit, task);
  }),
  both("PUSH-CREATE-002", "it lives to the task's end", async (kit) => {
    const task = await parked(kit);
    const { id = "" } = await created(kit, idOf(task));
    const named = { taskId: idOf(task), id };
    deepStrictEqual((await call(kit.wire, "GetTaskPushNotificationConfig", named)).result["id"], id);
    await withdrawn(kit, task);
    await until(
      () => call(kit.wire, "GetTaskPushNotificationConfig", named),
      (answer) => answer.error !== undefined,
      "its end",
    );
  }),
  both("PUSH-GET-001", "its details; 002: an unknown one fails", async (kit) => {
    const task = await parked(kit);
    const made = await created(kit, idOf(task), { id: "mine" });
    const got = await call(kit.wire, "GetTaskPushNotificationConfig", { taskId: idOf(task), id: "mine" });
    deepStrictEqual(got.result, made);
    deepStrictEqual(got.result["authentication"], { scheme: "Bearer" });
    const none = await call(kit.wire, "GetTaskPushNotificationConfig", { taskId: idOf(task), id: "other" });
    reason(none, "TASK_NOT_FOUND", -32001, 404, kit.wire.binding);
    await withdrawn(kit, task);
  }),
  both("PUSH-LIST-001", "all of them, and the caller's alone", async (kit) => {
    const task = await parked(kit);
    await created(kit, idOf(task), { id: "a" });
    await created(kit, idOf(task), { id: "b" });
    const { result } = await call(kit.wire, "ListTaskPushNotificationConfigs", { taskId: idOf(task) });
    deepStrictEqual((result["configs"] as JsonObject[]).map((one) => one["id"]).sort(), ["a", "b"]);
    const theirs = await call(kit.stranger, "ListTaskPushNotificationConfigs", { taskId: idOf(task) });
    reason(theirs, "TASK_NOT_FOUND", -32001, 404, kit.wire.binding);
    await withdrawn(kit, task);
  }),
  both("PUSH-DEL-001", "it is gone; 002: gone again is fine", async (kit) => {
    const task = await parked(kit);
    await created(kit, idOf(task), { id: "a" });
    const named = { taskId: idOf(task), id: "a" };
    for (const _ of [1, 2])
      deepStrictEqual((await call(kit.wire, "DeleteTaskPushNotificationConfig", named)).error, undefined);
    holds((await call(kit.wire, "GetTaskPushNotificationConfig", named)).error !== undefined);
    await withdrawn(kit, task);
  }),
  both("PUSH-DELIVER-001", "the credentials go along, and to that address", async (kit) => {
    const task = await parked(kit);
    await created(kit, idOf(task));
    await withdrawn(kit, task);
    const { headers } = await delivered(kit, idOf(task));
    deepStrictEqual(headers.authorization, "Bearer client-made-credentials");
    deepStrictEqual(headers["x-a2a-notification-token"], "client-made-token");
  }),
  both("PUSH-DELIVER-002", "it is tried, also where it was asked for with the message; and signed", async (kit) => {
    const task = await parked(kit, {}, { taskPushNotificationConfig: config(kit) });
    await withdrawn(kit, task);
    const push = await until(
      async () => deliveries(kit, idOf(task)).find(({ body }) => body.includes("CANCELED")),
      (found) => found !== undefined,
      "the end as a push",
    );
    holds(push !== undefined && (await isSigned(kit, push)));
  }),
  both("PUSH-DELIVER-003", "the body is a StreamResponse with the state and the references alone", async (kit) => {
    const task = await parked(kit);
    await created(kit, idOf(task));
    await withdrawn(kit, task);
    const push = await delivered(kit, idOf(task));
    deepStrictEqual(push.headers["content-type"], "application/a2a+json");
    const body = JSON.parse(push.body) as JsonObject;
    deepStrictEqual(Object.keys(body), ["statusUpdate"]);
    const update = body["statusUpdate"] as JsonObject;
    deepStrictEqual(Object.keys(update).sort(), ["contextId", "metadata", "status", "taskId"]);
    deepStrictEqual(Object.keys(update["status"] as JsonObject).sort(), ["state", "timestamp"]);
    deepStrictEqual(stateOf(update), "TASK_STATE_CANCELED");
    holds(!push.body.includes(FACE_URI));
  }),
  both("PUSH-GUARD", "an address that is not public is refused, before a task is made for it (U51)", async (kit) => {
    const task = await completed(kit);
    const urls = [
      "http://169.254.169.254/latest",
      "https://10.0.0.1/x",
      "https://[::ffff:127.0.0.1]/x",
      "ftp://x.example/",
      "https://u:p@x.example/",
      "not a url",
    ];
    for (const url of urls) {
      const answer = await call(kit.wire, "CreateTaskPushNotificationConfig", { taskId: idOf(task), url });
      deepStrictEqual([url, answer.error?.reason], [url, "INVALID_PARAMS"]);
      holds(!answer.error?.message.includes(url));
    }
    const before = await call(kit.wire, "ListTasks", { pageSize: 1 });
    const asked = sending(orderData(kit.ready), {}, { taskPushNotificationConfig: { url: urls[0] ?? "" } });
    deepStrictEqual((await call(kit.wire, "SendMessage", asked)).error?.reason, "INVALID_PARAMS");
    deepStrictEqual(
      (await call(kit.wire, "ListTasks", { pageSize: 1 })).result["totalSize"],
      before.result["totalSize"],
    );
    const crlf = {
      taskId: idOf(task),
      url: kit.receiver.url,
      authentication: { scheme: "Bearer", credentials: "a\r\nx: y" },
    };
    deepStrictEqual((await call(kit.wire, "CreateTaskPushNotificationConfig", crlf)).error?.reason, "INVALID_PARAMS");
  }),
];

/** Checked as a stranger would: with the key set that the card names, over the very bytes that came. */
async function isSigned(kit: Kit, push: Delivered): Promise<boolean> {
  const [header = "", middle = "", signature = ""] = String(push.headers[SIGNATURE_HEADER]).split(".");
  const read = fromBase64Url(header);
  holds(read.ok && middle === "");
  const { kid, jku } = JSON.parse(new TextDecoder().decode(read.value)) as { kid: string; jku: string };
  deepStrictEqual(jku, `${kit.wire.issuer}${KEYS_PATH}`);
  const { keys } = (await (await fetch(jku)).json()) as { keys: readonly JsonObject[] };
  const jwk: JsonObject = keys.find((one) => one["kid"] === kid) ?? {};
  const { kty, crv, x, y } = jwk;
  const parsed = parsePublicJwk({ kty, crv, x, y });
  const bytes = fromBase64Url(signature);
  holds(parsed.ok && bytes.ok);
  const key = await importPublicKey(parsed.value);
  holds(key.ok);
  const payload = toBase64Url(new TextEncoder().encode(`${push.id}.${push.timestamp}.${push.body}`));
  return crypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    key.value,
    Uint8Array.from(bytes.value),
    new TextEncoder().encode(`${header}.${payload}`),
  );
}
