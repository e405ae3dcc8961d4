import { randomUUID } from "node:crypto";
import type { JsonObject } from "@countersign/wire";
import { orderData, readData, sending } from "../../../test/support/a2a.ts";
import { call, dataMessage, stateOf, stream } from "../../../test/support/a2a-wire.ts";
import {
  completed,
  decided,
  deepStrictEqual,
  holds,
  idOf,
  parked,
  type Row,
  reason,
  taskOf,
  withdrawn,
} from "./kit.ts";

const both = (id: string, says: string, run: Row["run"]): Row => ({ id, says, over: "both", run });
const TERMINAL = ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED", "TASK_STATE_REJECTED"];

async function all(responses: AsyncIterable<JsonObject>): Promise<JsonObject[]> {
  const seen: JsonObject[] = [];
  for await (const one of responses) seen.push(one);
  return seen;
}

const unknown = () => `task_${randomUUID()}`;

export const CORE_ROWS: readonly Row[] = [
  both("CORE-SEND-001", "a task or a message is answered", async (kit) => {
    await completed(kit);
    const { result } = await call(kit.wire, "SendMessage", sending({ skill: "accounts" }));
    deepStrictEqual(Object.keys(result), ["message"]);
  }),
  both("CORE-SEND-002", "a message to a task that is over: UnsupportedOperation", async (kit) => {
    const task = await completed(kit);
    const answer = await call(kit.wire, "SendMessage", sending({ any: "news" }, { taskId: idOf(task) }));
    reason(answer, "UNSUPPORTED_OPERATION", -32004, 400, kit.wire.binding);
  }),
  both("CORE-SEND-003", "a media type that is not taken: ContentTypeNotSupported", async (kit) => {
    for (const part of [
      { raw: "AA==", mediaType: "image/png" },
      { text: "<p>", mediaType: "text/html" },
      { url: "https://x.example/a.pdf" },
    ]) {
      const answer = await call(kit.wire, "SendMessage", { message: dataMessage(null, { parts: [part] }) });
      reason(answer, "CONTENT_TYPE_NOT_SUPPORTED", -32005, 400, kit.wire.binding);
    }
    const answer = await call(
      kit.wire,
      "SendMessage",
      sending({ skill: "accounts" }, {}, { acceptedOutputModes: ["image/png"] }),
    );
    reason(answer, "CONTENT_TYPE_NOT_SUPPORTED", -32005, 400, kit.wire.binding);
  }),
  both("CORE-STREAM-001", "a stream opens", async (kit) => {
    const seen = await all(stream(kit.wire, "SendStreamingMessage", sending(readData(kit.ready))));
    holds(seen.length > 0);
  }),
  both("CORE-STREAM-002", "an answer that is a message: one, and the end", async (kit) => {
    const seen = await all(stream(kit.wire, "SendStreamingMessage", sending({ skill: "accounts" })));
    deepStrictEqual(
      seen.map((one) => Object.keys(one)),
      [["message"]],
    );
  }),
  both("CORE-STREAM-003", "the task first, the end at a terminal state", async (kit) => {
    const seen = await all(stream(kit.wire, "SendStreamingMessage", sending(readData(kit.ready))));
    deepStrictEqual(Object.keys(seen[0] ?? {}), ["task"]);
    for (const one of seen) deepStrictEqual(Object.keys(one).length, 1);
    const last = seen.at(-1) ?? {};
    holds(TERMINAL.includes(stateOf(last["statusUpdate"] ?? last["task"])));
  }),
  both("CORE-GET-001", "the task as it is now", async (kit) => {
    const task = await parked(kit);
    deepStrictEqual(stateOf((await call(kit.wire, "GetTask", { id: idOf(task) })).result), "TASK_STATE_AUTH_REQUIRED");
    await withdrawn(kit, task);
    deepStrictEqual(stateOf((await call(kit.wire, "GetTask", { id: idOf(task) })).result), "TASK_STATE_CANCELED");
  }),
  both("CORE-GET-002", "an unknown task: TaskNotFound", async (kit) => {
    reason(await call(kit.wire, "GetTask", { id: unknown() }), "TASK_NOT_FOUND", -32001, 404, kit.wire.binding);
  }),
  both("CORE-LIST-001", "the caller's own tasks alone", async (kit) => {
    const task = await completed(kit);
    const mine = await call(kit.wire, "ListTasks", { pageSize: 100 });
    holds((mine.result["tasks"] as JsonObject[]).some((one) => idOf(one) === idOf(task)));
    const theirs = await call(kit.stranger, "ListTasks", { pageSize: 100 });
    deepStrictEqual(theirs.result["tasks"], []);
    deepStrictEqual(theirs.result["totalSize"], 0);
  }),
  both("CORE-LIST-002", "pages by a cursor, each task once", async (kit) => {
    await completed(kit);
    await completed(kit);
    const seen: string[] = [];
    let pageToken = "";
    do {
      const { result } = await call(kit.wire, "ListTasks", { pageSize: 1, ...(pageToken === "" ? {} : { pageToken }) });
      const tasks = result["tasks"] as JsonObject[];
      deepStrictEqual([tasks.length, result["pageSize"]], [1, 1]);
      seen.push(...tasks.map(idOf));
      pageToken = String(result["nextPageToken"]);
    } while (pageToken !== "");
    deepStrictEqual(new Set(seen).size, seen.length);
    const bad = await call(kit.wire, "ListTasks", { pageToken: "nonsense" });
    deepStrictEqual(bad.error?.reason, "INVALID_PARAMS");
  }),
  both("CORE-LIST-003", "the newest status first", async (kit) => {
    const { result } = await call(kit.wire, "ListTasks", { pageSize: 100 });
    const times = (result["tasks"] as JsonObject[]).map((one) => String((one["status"] as JsonObject)["timestamp"]));
    deepStrictEqual(times, [...times].sort().reverse());
  }),
  both("CORE-LIST-004", "the last page has the page token of nothing, and all four members are there", async (kit) => {
    const { result } = await call(kit.wire, "ListTasks", { pageSize: 100 });
    deepStrictEqual(Object.keys(result).sort(), ["nextPageToken", "pageSize", "tasks", "totalSize"]);
    deepStrictEqual(result["nextPageToken"], "");
  }),
  both("CORE-LIST-005", "no artifacts unless they are asked for; filters by context, status and time", async (kit) => {
    const contextId = `ctx-${randomUUID()}`;
    const task = await completed(kit, { contextId });
    const plain = await call(kit.wire, "ListTasks", { contextId });
    deepStrictEqual(
      (plain.result["tasks"] as JsonObject[]).map((one) => [idOf(one), one["artifacts"]]),
      [[idOf(task), undefined]],
    );
    const whole = await call(kit.wire, "ListTasks", { contextId, includeArtifacts: true });
    holds(Array.isArray((whole.result["tasks"] as JsonObject[])[0]?.["artifacts"]));
    const none = await call(kit.wire, "ListTasks", { contextId, status: "TASK_STATE_WORKING" });
    deepStrictEqual(none.result["totalSize"], 0);
    const late = await call(kit.wire, "ListTasks", { contextId, statusTimestampAfter: "2099-01-01T00:00:00Z" });
    deepStrictEqual(late.result["totalSize"], 0);
    const some = await call(kit.wire, "ListTasks", {
      contextId,
      status: "TASK_STATE_COMPLETED",
      statusTimestampAfter: "2020-01-01T00:00:00Z",
    });
    deepStrictEqual(some.result["totalSize"], 1);
  }),
  both("CORE-CANCEL-001", "the task as it is after it; again the same", async (kit) => {
    const task = await parked(kit);
    for (const _ of [1, 2])
      deepStrictEqual(stateOf((await call(kit.wire, "CancelTask", { id: idOf(task) })).result), "TASK_STATE_CANCELED");
  }),
  both("CORE-CANCEL-002", "a task that is over: TaskNotCancelable", async (kit) => {
    const task = await completed(kit);
    reason(
      await call(kit.wire, "CancelTask", { id: idOf(task) }),
      "TASK_NOT_CANCELABLE",
      -32002,
      400,
      kit.wire.binding,
    );
  }),
  both("CORE-CANCEL-003", "an unknown task: TaskNotFound", async (kit) => {
    reason(await call(kit.wire, "CancelTask", { id: unknown() }), "TASK_NOT_FOUND", -32001, 404, kit.wire.binding);
  }),
  both("CORE-MULTI-001", "a context is made where none is named, and answered (001a)", async (kit) => {
    const [one, two] = [await completed(kit), await completed(kit)];
    holds(typeof one["contextId"] === "string" && one["contextId"] !== "");
    holds(one["contextId"] !== two["contextId"]);
  }),
  both("CORE-MULTI-002", "a client's own context is taken, or refused (002a)", async (kit) => {
    const contextId = `ctx-${randomUUID()}`;
    deepStrictEqual((await completed(kit, { contextId }))["contextId"], contextId);
    const odd = await call(kit.wire, "SendMessage", sending(readData(kit.ready), { contextId: "no such\u0000name" }));
    deepStrictEqual(odd.error?.reason, "INVALID_PARAMS");
  }),
  both("CORE-MULTI-003", "each task has an id of its own", async (kit) => {
    const ids = [idOf(await completed(kit)), idOf(await completed(kit))];
    deepStrictEqual(new Set(ids).size, 2);
  }),
  both("CORE-MULTI-004", "an unknown task in a message: TaskNotFound", async (kit) => {
    const answer = await call(kit.wire, "SendMessage", sending(orderData(kit.ready), { taskId: unknown() }));
    reason(answer, "TASK_NOT_FOUND", -32001, 404, kit.wire.binding);
  }),
  both("CORE-MULTI-005", "the context is the task's where a message names the task alone", async (kit) => {
    const task = await parked(kit);
    const later = taskOf(await call(kit.wire, "SendMessage", sending({ any: "news" }, { taskId: idOf(task) })));
    deepStrictEqual([later["id"], later["contextId"]], [task["id"], task["contextId"]]);
    await withdrawn(kit, task);
  }),
  both("CORE-MULTI-006", "another context than the task's is refused", async (kit) => {
    const task = await parked(kit);
    const answer = await call(
      kit.wire,
      "SendMessage",
      sending({ any: "news" }, { taskId: idOf(task), contextId: "another" }),
    );
    reason(answer, "INVALID_PARAMS", -32602, 400, kit.wire.binding);
    await withdrawn(kit, task);
  }),
  both("CORE-EXECUTION-MODE-001", "a send blocks until it is over or interrupted", async (kit) => {
    await completed(kit);
    await withdrawn(kit, await parked(kit));
  }),
  both("CORE-EXECUTION-MODE-002", "a send that must not block answers at once", async (kit) => {
    const answer = await call(kit.wire, "SendMessage", sending(orderData(kit.ready), {}, { returnImmediately: true }));
    const state = stateOf(taskOf(answer));
    holds(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", "TASK_STATE_AUTH_REQUIRED"].includes(state));
    await withdrawn(kit, taskOf(answer));
  }),
  both("CORE-CAP-001", "pushes where the card has none: PushNotificationNotSupported", async (kit) => {
    const made = await call(kit.pushless, "SendMessage", sending({ skill: "accounts" }, {}, {}));
    holds(made.error === undefined);
    const params = { taskId: unknown(), id: "x", url: "https://x.example/" };
    const answer = await call(kit.pushless, "ListTaskPushNotificationConfigs", params);
    reason(answer, "PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, 400, kit.wire.binding);
  }),
  both("CORE-CAP-002", "streaming is declared, and there", async (kit) => {
    const card = (await (await fetch(`${kit.wire.issuer}/.well-known/agent-card.json`)).json()) as JsonObject;
    deepStrictEqual((card["capabilities"] as JsonObject)["streaming"], true);
  }),
  both("CORE-CAP-003", "the extended card is declared, and there", async (kit) => {
    const { result, error } = await call(kit.wire, "GetExtendedAgentCard");
    deepStrictEqual(error, undefined);
    holds((result["skills"] as JsonObject[]).some((one) => one["id"] === "retail.order.submit"));
  }),
  both("CORE-CAP-004", "a required extension that is not activated: ExtensionSupportRequired", async (kit) => {
    const answer = await call(kit.requiring, "ListTasks");
    reason(answer, "EXTENSION_SUPPORT_REQUIRED", -32008, 400, kit.wire.binding);
    const fine = await call(
      kit.requiring,
      "ListTasks",
      {},
      { headers: { "a2a-extensions": "https://extensions.example/needed/v1" } },
    );
    deepStrictEqual(
      [fine.error, fine.headers.get("a2a-extensions")],
      [undefined, "https://extensions.example/needed/v1"],
    );
  }),
  both("CORE-ERR-001", "an error says where which rule is broken, and never what was sent", async (kit) => {
    const data = { ...orderData(kit.ready), parameters: { item_ref: "planted-canary", quantity: 0 } };
    const answer = await call(kit.wire, "SendMessage", sending(data));
    const text = JSON.stringify(answer.body);
    holds(text.includes("BadRequest") && text.includes("quantity"));
    holds(!text.includes("planted-canary"));
  }),
  both("CORE-ERR-002", "all input is judged", async (kit) => {
    const fine = sending(readData(kit.ready));
    const message = fine["message"] as JsonObject;
    const wrong: JsonObject[] = [
      {},
      { message: "hello" },
      { message: { ...message, parts: [] } },
      { message: { ...message, role: "ROLE_AGENT" } },
      { message: { ...message, role: 1 } },
      { message: { ...message, messageId: "" } },
      { message: { message_id: "x", role: "ROLE_USER", parts: message["parts"] ?? [] } },
      { message: { ...message, parts: [{ text: "a", data: {} }] } },
      { message: { ...message, parts: [{}] } },
      { ...fine, configuration: { historyLength: -1 } },
      { ...fine, configuration: { returnImmediately: "yes" } },
      sending({ ...readData(kit.ready), approved: true }),
      sending({ skill: "approve" }),
      sending([readData(kit.ready)]),
    ];
    for (const params of wrong) {
      const answer = await call(kit.wire, "SendMessage", params);
      deepStrictEqual(
        [JSON.stringify(params).slice(0, 80), answer.error?.reason],
        [JSON.stringify(params).slice(0, 80), "INVALID_PARAMS"],
      );
    }
    deepStrictEqual((await call(kit.wire, "ListTasks", { pageSize: 101 })).error?.reason, "INVALID_PARAMS");
  }),
  both(
    "CORE-HIST-001",
    "no length asked: the messages; 003: length 0 has none; 002: never more than asked",
    async (kit) => {
      const task = await parked(kit);
      await call(kit.wire, "SendMessage", sending({ any: "news" }, { taskId: idOf(task) }));
      const length = async (params: JsonObject) =>
        (((await call(kit.wire, "GetTask", { id: idOf(task), ...params })).result["history"] ?? []) as JsonObject[])
          .length;
      deepStrictEqual(
        [await length({}), await length({ historyLength: 0 }), await length({ historyLength: 1 })],
        [2, 0, 1],
      );
      deepStrictEqual(await length({ historyLength: 50 }), 2);
      await withdrawn(kit, task);
    },
  ),
  both("CORE-HIST-004", "messages are kept (004), in order (005), as they came (006)", async (kit) => {
    const first = dataMessage(orderData(kit.ready), { metadata: { "urn:example:x": { a: [1, "é"] } } });
    const task = taskOf(await call(kit.wire, "SendMessage", { message: first }));
    const second = dataMessage({ any: "news" }, { taskId: idOf(task) });
    await call(kit.wire, "SendMessage", { message: second });
    const { result } = await call(kit.wire, "GetTask", { id: idOf(task) });
    deepStrictEqual(result["history"], [first, second]);
    await withdrawn(kit, task);
  }),
  both("STREAM-SUB-001", "the task first, as it is", async (kit) => {
    const task = await parked(kit);
    for await (const one of stream(kit.wire, "SubscribeToTask", { id: idOf(task) })) {
      deepStrictEqual(stateOf(one["task"]), "TASK_STATE_AUTH_REQUIRED");
      break;
    }
    await withdrawn(kit, task);
  }),
  both("STREAM-SUB-002", "it ends at a terminal state", async (kit) => {
    const task = await parked(kit);
    const responses = stream(kit.wire, "SubscribeToTask", { id: idOf(task) });
    await responses.next();
    await withdrawn(kit, task);
    const seen = await all(responses);
    deepStrictEqual(stateOf(seen.at(-1)?.["statusUpdate"]), "TASK_STATE_CANCELED");
  }),
  both("STREAM-SUB-003", "a task that is over: UnsupportedOperation", async (kit) => {
    const task = await completed(kit);
    reason(
      await call(kit.wire, "SubscribeToTask", { id: idOf(task) }),
      "UNSUPPORTED_OPERATION",
      -32004,
      400,
      kit.wire.binding,
    );
  }),
  both("STREAM-SUB-004", "an unknown task: TaskNotFound", async (kit) => {
    reason(await call(kit.wire, "SubscribeToTask", { id: unknown() }), "TASK_NOT_FOUND", -32001, 404, kit.wire.binding);
  }),
  both(
    "STREAM-ORDER-001",
    "events in order (001), to all streams (002), the same (003); closing one leaves the others (004)",
    async (kit) => {
      const task = await parked(kit);
      const open = () => stream(kit.wire, "SubscribeToTask", { id: idOf(task) });
      const [one, two, gone] = [open(), open(), open()];
      for (const each of [one, two, gone]) await each.next();
      await gone.return();
      await decided(kit, task, "approved");
      const states = (seen: readonly JsonObject[]) =>
        seen.map((each) => [Object.keys(each)[0], stateOf(each["statusUpdate"])]);
      const [first, second] = [states(await all(one)), states(await all(two))];
      deepStrictEqual(first, second);
      deepStrictEqual(first.at(-1), ["statusUpdate", "TASK_STATE_COMPLETED"]);
      deepStrictEqual(stateOf((await call(kit.wire, "GetTask", { id: idOf(task) })).result), "TASK_STATE_COMPLETED");
    },
  ),
];
