import { AgentCard, Task, verifyAgentCardSignature } from "@a2a-js/sdk";
import { KEYS_PATH, ORCHESTRATION_URI } from "@countersign/a2a";
import { canonicalJson, fromBase64Url, type Json, type JsonObject } from "@countersign/wire";
import { readData, sending } from "../../../test/support/a2a.ts";
import { type Answer, answerOf, ask, call, dataMessage, stateOf } from "../../../test/support/a2a-wire.ts";
import { completed, deepStrictEqual, holds, idOf, type Kit, parked, type Row, reason } from "./kit.ts";

const both = (id: string, says: string, run: Row["run"]): Row => ({ id, says, over: "both", run });
const card = (id: string, says: string, run: Row["run"]): Row => ({ id, says, over: "card", run });
const rpc = (id: string, says: string, run: Row["run"]): Row => ({ id, says, over: "JSONRPC", run });
const rest = (id: string, says: string, run: Row["run"]): Row => ({ id, says, over: "HTTP+JSON", run });

const CARD = "/.well-known/agent-card.json";
const STATES = /^TASK_STATE_(SUBMITTED|WORKING|COMPLETED|FAILED|CANCELED|INPUT_REQUIRED|REJECTED|AUTH_REQUIRED)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function cardOf(kit: Kit): Promise<JsonObject> {
  return (await (await fetch(`${kit.wire.issuer}${CARD}`)).json()) as JsonObject;
}

function membersOf(value: Json, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const one of value) membersOf(one, found);
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) {
      found.push(name);
      // What stands in metadata and data is the gateway's own, and has its own spelling.
      if (name !== "metadata" && name !== "data" && name !== "params" && name !== "schemes" && name !== "scopes")
        membersOf(member, found);
    }
  return found;
}

export const SHAPE_ROWS: readonly Row[] = [
  card("CARD-DISC-001", "the card is at its well-known place, for anybody", async (kit) => {
    const response = await fetch(`${kit.wire.issuer}${CARD}`);
    deepStrictEqual([response.status, response.headers.get("content-type")], [200, "application/json"]);
  }),
  card(
    "CARD-STRUCT-001",
    "it has what a card must have, and reads the same through the protocol's own library",
    async (kit) => {
      const read = await cardOf(kit);
      for (const name of [
        "name",
        "description",
        "version",
        "supportedInterfaces",
        "capabilities",
        "defaultInputModes",
        "defaultOutputModes",
        "skills",
      ])
        holds(read[name] !== undefined, name);
      const { signatures: _ours, ...unsigned } = read;
      const { signatures: _theirs, ...again } = AgentCard.toJSON(AgentCard.fromJSON(read)) as JsonObject;
      deepStrictEqual(JSON.parse(canonicalJson(again)), JSON.parse(canonicalJson(unsigned)));
    },
  ),
  card("CARD-PROTO-001", "each interface says its binding, its absolute address and its version (002)", async (kit) => {
    const interfaces = (await cardOf(kit))["supportedInterfaces"] as JsonObject[];
    deepStrictEqual(
      interfaces.map((one) => [one["protocolBinding"], one["url"], one["protocolVersion"]]),
      [
        ["JSONRPC", `${kit.wire.issuer}/a2a`, "1.0"],
        ["HTTP+JSON", `${kit.wire.issuer}/a2a`, "1.0"],
      ],
    );
  }),
  both("CARD-EXT-001", "the extended card needs a token", async (kit) => {
    const none = await ask(kit.wire, "GetExtendedAgentCard", {}, { headers: { authorization: undefined } });
    deepStrictEqual(none.status, 401);
  }),
  card("CARD-CACHE-001", "Cache-Control with a life; 002: an ETag that stays and is honoured", async (kit) => {
    const [one, two] = [await fetch(`${kit.wire.issuer}${CARD}`), await fetch(`${kit.wire.issuer}${CARD}`)];
    holds(/max-age=[1-9]/.test(one.headers.get("cache-control") ?? ""));
    const etag = one.headers.get("etag") ?? "";
    holds(etag !== "" && etag === two.headers.get("etag"));
    deepStrictEqual((await fetch(`${kit.wire.issuer}${CARD}`, { headers: { "if-none-match": etag } })).status, 304);
    const host = await fetch(`${kit.wire.issuer}${CARD}`, { headers: { "x-forwarded-host": "evil.example" } });
    holds(!(await host.text()).includes("evil.example"));
  }),
  card(
    "CARD-SIGN-001",
    "the signature is over the canonical form without signatures (002), by the protocol's own library",
    async (kit) => {
      const read = await cardOf(kit);
      const { keys } = (await (await fetch(`${kit.wire.issuer}${KEYS_PATH}`)).json()) as { keys: JsonObject[] };
      const verify = verifyAgentCardSignature(async (kid) => {
        const jwk = keys.find((one) => one["kid"] === kid);
        holds(jwk !== undefined);
        return jwk as never;
      });
      // As it came: the library leaves the security schemes out of what it has decoded itself (a2a.md section 9, row 2).
      await verify(read as never);
    },
  ),
  card("CARD-SIGN-003", "its protected header says alg, kid, typ, and where the keys are", async (kit) => {
    const [signature] = (await cardOf(kit))["signatures"] as JsonObject[];
    const bytes = fromBase64Url(String(signature?.["protected"]));
    holds(bytes.ok);
    const header = JSON.parse(new TextDecoder().decode(bytes.value)) as JsonObject;
    deepStrictEqual(Object.keys(header).sort(), ["alg", "jku", "kid", "typ"]);
    deepStrictEqual([header["alg"], header["typ"], header["jku"]], ["ES256", "JOSE", `${kit.wire.issuer}${KEYS_PATH}`]);
  }),
  both(
    "DM-TASK-001",
    "a task has id, context and status; a state has its name (002); it reads through the library",
    async (kit) => {
      const task = await completed(kit);
      for (const name of ["id", "contextId", "status"]) holds(task[name] !== undefined, name);
      holds(STATES.test(stateOf(task)));
      const again = Task.toJSON(Task.fromJSON(task)) as JsonObject;
      deepStrictEqual(
        [again["id"], again["artifacts"], again["history"]],
        [task["id"], task["artifacts"], task["history"]],
      );
    },
  ),
  both("DM-MSG-001", "a message has id, role and parts, one content a part (PART-001)", async (kit) => {
    const message = (await call(kit.wire, "SendMessage", sending({ skill: "accounts" }))).result[
      "message"
    ] as JsonObject;
    holds(typeof message["messageId"] === "string");
    deepStrictEqual(message["role"], "ROLE_AGENT");
    for (const part of message["parts"] as JsonObject[])
      deepStrictEqual(["text", "raw", "url", "data"].filter((name) => part[name] !== undefined).length, 1);
    const words = await call(kit.wire, "SendMessage", {
      message: dataMessage(null, { parts: [{ text: "buy me a lamp" }] }),
    });
    holds(JSON.stringify(words.result["message"]).includes("accounts"));
  }),
  both("DM-ART-001", "an artifact has an id and parts", async (kit) => {
    for (const artifact of (await completed(kit))["artifacts"] as JsonObject[])
      holds(typeof artifact["artifactId"] === "string" && (artifact["parts"] as JsonObject[]).length > 0);
  }),
  both("DM-STATUS-001", "a status has its state; times are UTC with milliseconds (SERIAL-003)", async (kit) => {
    const status = (await completed(kit))["status"] as JsonObject;
    holds(STATES.test(String(status["state"])));
    holds(TIME.test(String(status["timestamp"])));
  }),
  both("DM-SERIAL-001", "members are in camelCase; enums by name (002)", async (kit) => {
    const names = membersOf(await completed(kit));
    deepStrictEqual(
      names.filter((name) => /_/.test(name)),
      [],
    );
  }),
  both("DM-SERIAL-004", "what is required is there, also where it is empty", async (kit) => {
    const { result } = await call(kit.wire, "ListTasks", { contextId: "no-such-context" });
    deepStrictEqual(result, { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
  }),
  both("DM-SERIAL-005", "members that the protocol does not have are ignored", async (kit) => {
    const params = sending(readData(kit.ready));
    const message = { ...(params["message"] as JsonObject), later: { x: 1 } };
    deepStrictEqual((await call(kit.wire, "SendMessage", { ...params, message, alsoLater: true })).error, undefined);
  }),
  both("VER-SERVER-001", "1.0 is spoken; 002: others are refused; 003: nothing means 0.3", async (kit) => {
    for (const version of ["0.3", "2.0", "1.0.1", "1", "", undefined]) {
      const answer = await call(kit.wire, "ListTasks", {}, { headers: { "a2a-version": version } });
      reason(answer, "VERSION_NOT_SUPPORTED", -32009, 400, kit.wire.binding);
    }
  }),
  both("BIND-FIELD-001", "the extensions of the card can be activated, and the echo says which were", async (kit) => {
    const answer = await call(
      kit.wire,
      "ListTasks",
      {},
      {
        headers: { "a2a-extensions": `${ORCHESTRATION_URI}, https://extensions.example/unknown/v1` },
      },
    );
    deepStrictEqual(answer.headers.get("a2a-extensions"), ORCHESTRATION_URI);
    deepStrictEqual((await call(kit.wire, "ListTasks")).headers.get("a2a-extensions"), null);
  }),
  card(
    "BIND-EQUIV-001",
    "both bindings do the same (001), with the same result (002), the same errors (003), the same authentication (004)",
    async (kit) => {
      const [one, two] = (["JSONRPC", "HTTP+JSON"] as const).map((binding) => ({ ...kit.wire, binding }));
      holds(one !== undefined && two !== undefined);
      const task = await completed(kit);
      for (const [operation, params] of [
        ["GetTask", { id: idOf(task) }],
        ["ListTasks", { pageSize: 5, includeArtifacts: true }],
        ["GetTask", { id: "no-such-task" }],
        ["SendMessage", { message: {} }],
      ] as const) {
        const first: Answer = await call(one, operation, params);
        const second: Answer = await call(two, operation, params);
        deepStrictEqual(first.error?.reason, second.error?.reason);
        deepStrictEqual(first.error?.message, second.error?.message);
        if (first.error === undefined) deepStrictEqual(first.result, second.result);
      }
      const statuses = await Promise.all(
        [one, two].map((wire) => ask(wire, "ListTasks", {}, { headers: { authorization: "Bearer nonsense" } })),
      );
      deepStrictEqual(
        statuses.map((answer) => answer.status),
        [401, 401],
      );
    },
  ),
  rpc("JSONRPC-FMT-001", "2.0, with the id of the request; 002: application/json", async (kit) => {
    const answer = await call(kit.wire, "ListTasks");
    deepStrictEqual([answer.body["jsonrpc"], answer.body["id"]], ["2.0", 1]);
    holds((answer.headers.get("content-type") ?? "").startsWith("application/json"));
    const batch = await raw(kit, "[]");
    deepStrictEqual(batch.error?.code, -32600);
  }),
  rpc("JSONRPC-SVC-001", "methods in PascalCase; 002: headers carry version and extensions", async (kit) => {
    const answer = await raw(kit, JSON.stringify({ jsonrpc: "2.0", id: "a", method: "message/send", params: {} }));
    deepStrictEqual([answer.error?.code, answer.body["id"]], [-32601, "a"]);
  }),
  rpc("JSONRPC-ERR-001", "an error is an object with code and message; 002: its codes; 003: ErrorInfo", async (kit) => {
    for (const [body, code] of [
      ["{", -32700],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ListTasks"}', -32700],
      ['{"jsonrpc":"1.0","id":1,"method":"ListTasks"}', -32600],
      ['{"jsonrpc":"2.0","method":"ListTasks"}', -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"Nothing"}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":[]}', -32602],
    ] as const) {
      const answer = await raw(kit, body);
      deepStrictEqual([body, answer.error?.code], [body, code]);
      deepStrictEqual(answer.error?.details[0]?.["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
      deepStrictEqual(answer.error?.details[0]?.["domain"], "a2a-protocol.org");
    }
  }),
  rpc(
    "JSONRPC-SSE-001",
    "a stream is text/event-stream of JSON-RPC answers; 002: what cannot begin is an error with its code",
    async (kit) => {
      const response = await ask(kit.wire, "SendStreamingMessage", sending({ skill: "accounts" }));
      holds((response.headers.get("content-type") ?? "").startsWith("text/event-stream"));
      const text = await response.text();
      const first = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null") as JsonObject;
      deepStrictEqual([first["jsonrpc"], first["id"]], ["2.0", 1]);
      const bad = await call(kit.wire, "SendStreamingMessage", {});
      deepStrictEqual(bad.error?.code, -32602);
    },
  ),
  rest(
    "HTTP_JSON-URL-001",
    "the paths and verbs of each operation (002); other verbs and paths have none",
    async (kit) => {
      const task = await parked(kit);
      const at = (verb: string, path: string) =>
        fetch(`${kit.wire.issuer}/a2a${path}`, {
          method: verb,
          headers: { authorization: `Bearer ${kit.wire.token}`, "a2a-version": "1.0" },
        });
      deepStrictEqual((await at("GET", `/tasks/${idOf(task)}`)).status, 200);
      const subscribed = await at("GET", `/tasks/${idOf(task)}:subscribe`);
      deepStrictEqual([subscribed.status, subscribed.headers.get("content-type")], [200, "text/event-stream"]);
      await subscribed.body?.cancel();
      for (const [verb, path] of [
        ["POST", `/tasks/${idOf(task)}`],
        ["GET", `/tasks/${idOf(task)}:cancel`],
        ["POST", "/message:approve"],
        ["GET", "/message:send"],
        ["POST", `/tasks/${idOf(task)}:cancel:now`],
      ] as const)
        deepStrictEqual([verb, path, (await at(verb, path)).status], [verb, path, 404]);
      deepStrictEqual((await at("POST", `/tasks/${idOf(task)}:cancel`)).status, 200);
    },
  ),
  rest("HTTP_JSON-SVC-001", "application/a2a+json, and application/json is taken too; 002: headers", async (kit) => {
    const answer = await call(kit.wire, "ListTasks");
    deepStrictEqual(answer.headers.get("content-type"), "application/a2a+json");
    const plain = await call(kit.wire, "SendMessage", sending({ skill: "accounts" }), {
      headers: { "content-type": "application/json" },
    });
    deepStrictEqual(plain.status, 200);
    const text = await call(kit.wire, "SendMessage", sending({ skill: "accounts" }), {
      headers: { "content-type": "text/plain" },
    });
    reason(text, "CONTENT_TYPE_NOT_SUPPORTED", -32005, 400, "HTTP+JSON");
  }),
  rest("HTTP_JSON-QP-001", "members of a query in camelCase", async (kit) => {
    deepStrictEqual((await call(kit.wire, "ListTasks", { pageSize: 1 })).result["pageSize"], 1);
    deepStrictEqual((await call(kit.wire, "ListTasks", { page_size: 1 })).result["pageSize"], 50);
    deepStrictEqual((await call(kit.wire, "ListTasks", { pageSize: "x" })).status, 400);
  }),
  rest(
    "HTTP_JSON-ERR-001",
    "an error is a google.rpc.Status; 002: with ErrorInfo; STATUS-001: and its HTTP status",
    async (kit) => {
      const answer = await call(kit.wire, "GetTask", { id: "no-such-task" });
      deepStrictEqual(answer.body, {
        error: {
          code: 404,
          status: "NOT_FOUND",
          message: answer.error?.message ?? "",
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason: "TASK_NOT_FOUND",
              domain: "a2a-protocol.org",
            },
          ],
        },
      });
      deepStrictEqual(answer.status, 404);
    },
  ),
  rest("HTTP_JSON-SSE-001", "a stream is text/event-stream of StreamResponses", async (kit) => {
    const response = await ask(kit.wire, "SendStreamingMessage", sending(readData(kit.ready)));
    holds((response.headers.get("content-type") ?? "").startsWith("text/event-stream"));
    const first = JSON.parse(/^data: (.*)$/m.exec(await response.text())?.[1] ?? "null") as JsonObject;
    deepStrictEqual(Object.keys(first), ["task"]);
  }),
];

async function raw(kit: Kit, body: string) {
  const { issuer, token } = kit.wire;
  const headers = { authorization: `Bearer ${token}`, "a2a-version": "1.0", "content-type": "application/json" };
  return answerOf({ binding: "JSONRPC" }, await fetch(`${issuer}/a2a`, { method: "POST", headers, body }));
}
