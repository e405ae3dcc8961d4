import type { Answer } from "@countersign/plugin";
import { isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callAnswer } from "../call-answer.ts";
import { expectAnswer, readCommitAnswer } from "../commit-answer.ts";
import { turnOf } from "../turn.ts";
import { type Expected, type Raw, readAnswer } from "./answer.ts";
import { wireRequest } from "./request.ts";
import { TASK_STATES } from "./state.ts";
import { isIdentifier } from "./task.ts";

const RPC: Expected = { binding: "JSONRPC", method: "SendMessage", id: "r1", required: [] };
const REST: Expected = { binding: "HTTP+JSON", method: "SendMessage", id: undefined, required: [] };

function raw(body: Json, status = 200, headers: Readonly<Record<string, string>> = {}): Raw {
  return { status, header: (name) => headers[name], body: new TextEncoder().encode(JSON.stringify(body)) };
}

const rpc = (result: Json): Json => ({ jsonrpc: "2.0", id: "r1", result });
const task = (state: string, more: JsonObject = {}): JsonObject => ({
  id: "t1",
  contextId: "c1",
  status: { state },
  ...more,
});
const ARTIFACTS = [{ artifactId: "a", parts: [{ text: "Here." }, { data: { n: 1 } }] }];

/** As the boundary has it: told what it has to be about when it is handed over. */
function commit(body: Json, expected: Expected = RPC, status = 200): string {
  const answer: Answer = { status, headers: [], body: new TextEncoder().encode(JSON.stringify(body)) };
  expectAnswer(answer, expected);
  return readCommitAnswer(answer).kind;
}

describe("STA-4 what an answer to an order is worth", () => {
  it.each<readonly [string, string, boolean, string]>([
    ["completed", "TASK_STATE_COMPLETED", true, "answer"],
    ["completed without a result", "TASK_STATE_COMPLETED", false, "unknown"],
    ["failed", "TASK_STATE_FAILED", true, "error"],
    ["failed without a word", "TASK_STATE_FAILED", false, "error"],
    ["rejected", "TASK_STATE_REJECTED", true, "error"],
    ["cancelled", "TASK_STATE_CANCELED", true, "unknown"],
    ["still at work", "TASK_STATE_WORKING", true, "unknown"],
    ["taken", "TASK_STATE_SUBMITTED", true, "unknown"],
    ["wants more", "TASK_STATE_INPUT_REQUIRED", true, "unknown"],
    ["wants the person", "TASK_STATE_AUTH_REQUIRED", true, "unknown"],
    ["no state", "TASK_STATE_UNSPECIFIED", true, "unknown"],
    ["a state of another version", "completed", true, "unknown"],
  ])("%s", (_name, state, result, want) => {
    const value = { task: task(state, result ? { artifacts: ARTIFACTS } : {}) };
    expect(commit(rpc(value))).toBe(want);
    expect(commit(value, REST)).toBe(want);
  });

  it.each<readonly [string, Json, string]>([
    ["a message", rpc({ message: { role: "ROLE_AGENT", parts: [{ data: 1 }] } }), "answer"],
    ["a message without data", rpc({ message: { role: "ROLE_AGENT", parts: [{ text: "Done!" }] } }), "unknown"],
    ["our own message", rpc({ message: { role: "ROLE_USER", parts: [{ data: 1 }] } }), "unknown"],
    ["a message and a task", rpc({ message: {}, task: {} }), "unknown"],
    ["neither", rpc({}), "unknown"],
    [
      "something else beside it",
      rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: ARTIFACTS }), more: 1 }),
      "unknown",
    ],
    [
      "a part with two contents",
      rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: [{ parts: [{ text: "a", data: 1 }] }] }) }),
      "unknown",
    ],
    [
      "another request's",
      { jsonrpc: "2.0", id: "r2", result: { task: task("TASK_STATE_COMPLETED", { artifacts: ARTIFACTS }) } },
      "unknown",
    ],
    [
      "nobody's",
      { jsonrpc: "2.0", result: { task: task("TASK_STATE_COMPLETED", { artifacts: ARTIFACTS }) } },
      "unknown",
    ],
    [
      "another protocol's",
      { id: "r1", result: { task: task("TASK_STATE_COMPLETED", { artifacts: ARTIFACTS }) } },
      "unknown",
    ],
    ["an error of the protocol", { jsonrpc: "2.0", id: "r1", error: { code: -32_004, message: "no" } }, "error"],
    ["an agent that broke", { jsonrpc: "2.0", id: "r1", error: { code: -32_603, message: "oops" } }, "unknown"],
    ["a list", [], "unknown"],
    ["null", null, "unknown"],
  ])("%s", (_name, body, want) => {
    expect(commit(body)).toBe(want);
  });

  it("about another task, or with nobody having said what it is about, it is worth nothing", () => {
    const good = rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: ARTIFACTS }) });
    expect(commit(good, { ...RPC, taskId: "t1", contextId: "c1" })).toBe("answer");
    expect(commit(good, { ...RPC, taskId: "t2" })).toBe("unknown");
    expect(commit(good, { ...RPC, taskId: "t1", contextId: "c2" })).toBe("unknown");
    expect(commit(rpc({ message: { role: "ROLE_AGENT", parts: [{ data: 1 }] } }), { ...RPC, taskId: "t1" })).toBe(
      "unknown",
    );
    const answer: Answer = { status: 200, headers: [], body: new TextEncoder().encode(JSON.stringify(good)) };
    expect(readCommitAnswer(answer).kind).toBe("unknown");
  });

  it("an extension that the agent requires and has not activated, and a refused token, prove nothing", () => {
    const good = rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: ARTIFACTS }) });
    expect(commit(good, { ...RPC, required: ["urn:example:a:1"] })).toBe("unknown");
    expect(commit(good, RPC, 401)).toBe("unknown");
    expect(commit(good, RPC, 500)).toBe("unknown");
    expect(commit({ error: { code: 503, message: "busy", details: [] } }, REST, 503)).toBe("unknown");
    expect(commit({ error: { code: 400, message: "no", details: [] } }, REST, 400)).toBe("error");
    expect(commit({ title: "Blocked" }, REST, 403)).toBe("unknown");
  });

  it("whatever comes, reading never throws, and confirms only what is a result", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(RPC, REST),
        fc.constantFrom(200, 400, 401, 500),
        (value, expected, status) => {
          expect(["unknown", "error", "answer"]).toContain(commit(value as Json, expected, status));
        },
      ),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (body) => {
        const heard = readAnswer({ status: 200, header: () => undefined, body }, RPC);
        expect(heard.kind).toBe("unreadable");
      }),
    );
  });
});

describe("what an answer to a look is worth", () => {
  it("the newest artifact counts, and a status message only where there is none", () => {
    const artifacts = [
      { parts: [{ data: "quote" }] },
      { parts: [{ data: "order" }] },
      { parts: [{ text: "Thanks." }] },
    ];
    const status = { state: "TASK_STATE_INPUT_REQUIRED", message: { role: "ROLE_AGENT", parts: [{ data: "said" }] } };
    const heard = readAnswer(raw(rpc({ task: { ...task(""), status, artifacts } })), RPC);
    expect(heard).toMatchObject({ kind: "task", task: { data: "order" } });
    const alone = readAnswer(raw(rpc({ task: { ...task(""), status } })), RPC);
    expect(alone).toMatchObject({ kind: "task", task: { data: "said" } });
  });

  it.each(TASK_STATES)("%s, looked at by its task", (state) => {
    const heard = readAnswer(raw(task(state, { artifacts: ARTIFACTS })), { ...REST, method: "GetTask", taskId: "t1" });
    const waits = ["SUBMITTED", "WORKING", "AUTH_REQUIRED"].some((each) => state.endsWith(each));
    expect(callAnswer(heard, "look").kind).toBe(waits ? "error" : "answer");
  });

  it("an agent that is silent about an extension that it requires is not gone on with", () => {
    const good = rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: ARTIFACTS }) });
    const expected = { ...RPC, required: ["urn:example:a:1"] };
    expect(callAnswer(readAnswer(raw(good), expected), "call").kind).toBe("gap");
    const told = raw(good, 200, { "a2a-extensions": "urn:example:b:1,urn:example:a:1" });
    expect(callAnswer(readAnswer(told, expected), "call").kind).toBe("answer");
    // One URI is no other that begins like it.
    const near = raw(good, 200, { "a2a-extensions": "urn:example:a:12" });
    expect(callAnswer(readAnswer(near, expected), "call").kind).toBe("gap");
  });
});

describe("what is asked", () => {
  const url = new URL("https://agent.example/a2a/");

  it("names version and extensions, and a tenant where the card has one", () => {
    const asked = { method: "SendMessage", params: { message: {} } } as const;
    const one = wireRequest({ binding: "JSONRPC", url, tenant: "north" }, asked, ["urn:a:1", "urn:b:1"], () => "id");
    expect(one.headers).toMatchObject({ "a2a-version": "1.0", "a2a-extensions": "urn:a:1, urn:b:1" });
    expect(JSON.parse(one.body ?? "")).toMatchObject({ id: "id", params: { tenant: "north" } });
    const two = wireRequest({ binding: "HTTP+JSON", url, tenant: "north" }, asked, [], () => "id");
    expect(two.url.href).toBe("https://agent.example/a2a/north/message:send");
    expect(two.headers["a2a-extensions"]).toBeUndefined();
  });

  it("a task's name, whatever it is, stays one segment of the path", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 30 }), (taskId) => {
        fc.pre(isIdentifier(taskId));
        const { url: at } = wireRequest({ binding: "HTTP+JSON", url }, { method: "GetTask", taskId }, [], () => "id");
        expect(at.origin).toBe("https://agent.example");
        expect(at.pathname.split("/")).toHaveLength(4);
      }),
    );
  });

  it("the agent's own names are told from input, and nothing else is", () => {
    expect(turnOf({ "a2a:task": "t", "a2a:context": "c", sku: "x" })).toEqual({
      taskId: "t",
      contextId: "c",
      input: { sku: "x" },
    });
    for (const bad of [3, "", ".", "..", null, ["t"], "x".repeat(600)])
      expect(turnOf({ "a2a:task": bad })).toBeUndefined();
    expect(turnOf({})).toEqual({ input: {} });
    expect(isJsonObject(turnOf({ a: 1 })?.input ?? null)).toBe(true);
  });
});
