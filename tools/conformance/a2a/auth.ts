import { FACE_URI, ORCHESTRATION_URI } from "@countersign/a2a";
import type { JsonObject } from "@countersign/wire";
import { sending } from "../../../test/support/a2a.ts";
import { ask, call, stateOf, stream } from "../../../test/support/a2a-wire.ts";
import { decided, deepStrictEqual, holds, idOf, parked, type Row, reason, withdrawn } from "./kit.ts";

const both = (id: string, says: string, run: Row["run"]): Row => ({ id, says, over: "both", run });

const EVERY = [
  ["SendMessage", {}],
  ["SendStreamingMessage", {}],
  ["GetTask", { id: "x" }],
  ["ListTasks", {}],
  ["CancelTask", { id: "x" }],
  ["SubscribeToTask", { id: "x" }],
  ["CreateTaskPushNotificationConfig", { taskId: "x" }],
  ["GetTaskPushNotificationConfig", { taskId: "x", id: "y" }],
  ["ListTaskPushNotificationConfigs", { taskId: "x" }],
  ["DeleteTaskPushNotificationConfig", { taskId: "x", id: "y" }],
  ["GetExtendedAgentCard", {}],
] as const;

export const AUTH_ROWS: readonly Row[] = [
  both(
    "AUTH-SERVER-002",
    "every request is authenticated, before its body is read, and says where a token is had",
    async (kit) => {
      for (const [operation, params] of EVERY) {
        const answer = await ask(kit.wire, operation, params, { headers: { authorization: undefined } });
        const where = answer.headers.get("www-authenticate") ?? "";
        deepStrictEqual([operation, answer.status], [operation, 401]);
        holds(where.includes(`resource_metadata="${kit.wire.issuer}/.well-known/oauth-protected-resource/a2a"`), where);
      }
      const other = await ask(
        kit.wire,
        "ListTasks",
        {},
        { headers: { authorization: `Bearer ${kit.ready.agent.token}` } },
      );
      deepStrictEqual(other.status, 401);
    },
  ),
  both(
    "AUTH-INTASK-001",
    "what needs the account holder is a task that waits (002), says so in words (003), and takes no credential (004)",
    async (kit) => {
      const task = await parked(kit);
      const message = (task["status"] as JsonObject)["message"] as JsonObject;
      const text = JSON.stringify(message["parts"]);
      holds(/account holder/.test(text) && !/http/.test(text));
      const exact = (task["metadata"] as JsonObject)[ORCHESTRATION_URI] as JsonObject;
      deepStrictEqual([exact["v"], exact["state"], exact["reason"]], [1, "approval_required", "approval"]);
      const answer = await call(kit.wire, "GetTask", { id: idOf(task) }, { headers: { "a2a-extensions": FACE_URI } });
      deepStrictEqual((answer.result["metadata"] as JsonObject)[FACE_URI], {
        v: 1,
        approval_url: `${kit.wire.issuer}/tasks/${idOf(task)}`,
      });
      holds(!JSON.stringify(task).includes("approval_url"));
      await withdrawn(kit, task);
    },
  ),
  both(
    "AUTH-INTASK-005",
    "streams stay open while it waits, messages are taken (006) and decide nothing",
    async (kit) => {
      const task = await parked(kit);
      const responses = stream(kit.wire, "SubscribeToTask", { id: idOf(task) });
      await responses.next();
      for (const said of [
        { approved: true },
        { skill: "act", decision: "approved" },
        { state: "TASK_STATE_COMPLETED" },
      ]) {
        const later = await call(kit.wire, "SendMessage", sending(said, { taskId: idOf(task) }));
        deepStrictEqual(stateOf(later.result["task"]), "TASK_STATE_AUTH_REQUIRED");
      }
      await decided(kit, task, "denied");
      const seen: JsonObject[] = [];
      for await (const one of responses) seen.push(one);
      deepStrictEqual(stateOf(seen.at(-1)?.["statusUpdate"]), "TASK_STATE_REJECTED");
    },
  ),
  both(
    "AUTH-SCOPE-001",
    "each operation is judged by whose task it is; results are the caller's (002); nothing tells that one exists (003)",
    async (kit) => {
      const task = await parked(kit);
      const id = idOf(task);
      const named: Readonly<Record<string, JsonObject>> = {
        GetTask: { id },
        CancelTask: { id },
        SubscribeToTask: { id },
        ListTaskPushNotificationConfigs: { taskId: id },
        CreateTaskPushNotificationConfig: { taskId: id, url: "https://receiver.example/x" },
        GetTaskPushNotificationConfig: { taskId: id, id: "x" },
        DeleteTaskPushNotificationConfig: { taskId: id, id: "x" },
        SendMessage: sending({ any: "news" }, { taskId: id }),
        SendStreamingMessage: sending({ any: "news" }, { taskId: id }),
      };
      for (const [operation, params] of Object.entries(named)) {
        const foreign = await call(kit.stranger, operation, params);
        reason(foreign, "TASK_NOT_FOUND", -32001, 404, kit.wire.binding);
        const text = JSON.stringify(params).replaceAll(id, "task_none");
        const unknown = await call(kit.stranger, operation, JSON.parse(text) as JsonObject);
        deepStrictEqual(foreign.error, unknown.error);
      }
      deepStrictEqual(stateOf((await call(kit.wire, "GetTask", { id })).result), "TASK_STATE_AUTH_REQUIRED");
      await withdrawn(kit, task);
    },
  ),
];
