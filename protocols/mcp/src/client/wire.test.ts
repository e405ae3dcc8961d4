import type { Answer } from "@countersign/plugin";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCallAnswer } from "./answer.ts";
import { eventsOf, readRpcAnswer } from "./wire.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const answerOf = (text: string, type = "application/json", status = 200): Answer => ({
  status,
  headers: [["Content-Type", type]],
  body: bytes(text),
});
const result = (value: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, result: value });
const done = { resultType: "complete", content: [], structuredContent: { order: 7 } };

describe("a server's answer to a call", () => {
  it.each<[string, Answer]>([
    ["JSON", answerOf(result(done))],
    ["JSON with its character set", answerOf(result(done), "application/json; charset=utf-8")],
    [
      "a stream",
      answerOf(
        `: hi\r\n\r\nid: 1\r\ndata:\r\n\r\nevent: message\r\ndata: ${result(done)}\r\n\r\n`,
        "text/event-stream",
      ),
    ],
    [
      "a stream with a notification before it",
      answerOf(
        `data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\ndata: ${result(done)}\n\n`,
        "text/event-stream",
      ),
    ],
    ["the older revision's, without a type", answerOf(result({ structuredContent: { order: 7 } }))],
    ["JSON in a text", answerOf(result({ content: [{ type: "text", text: '{"order":7}' }] }))],
  ])("is read from %s", (_name, answer) => {
    expect(readCallAnswer(answer)).toEqual({ kind: "answer", value: { order: 7 } });
  });

  it.each<[string, Answer]>([
    ["another status", answerOf(result(done), "application/json", 500)],
    ["a redirect", answerOf(result(done), "application/json", 307)],
    ["another type", answerOf(result(done), "text/html")],
    ["no JSON", answerOf("<html>")],
    ["a member twice", answerOf(`{"jsonrpc":"2.0","id":1,"result":{"isError":true,"isError":false,"content":[]}}`)],
    ["two answers", answerOf(`data: ${result(done)}\n\ndata: ${result(done)}\n\n`, "text/event-stream")],
    ["an answer that is cut", answerOf(`data: ${result(done)}`, "text/event-stream")],
    [
      "a stream that also holds what is no message",
      answerOf(`data: ${result(done)}\n\ndata: x\n\n`, "text/event-stream"),
    ],
    ["a list of messages", answerOf(`[${result(done)}]`)],
    ["result and error at once", answerOf('{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}}')],
    ["a protocol error", answerOf('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}')],
    ["a request for input", answerOf(result({ resultType: "input_required", requestState: "x", content: [] }))],
    ["a task of the server's own", answerOf(result({ resultType: "task", taskId: "t", content: [] }))],
    ["an isError that is no boolean", answerOf(result({ isError: "false", content: [], structuredContent: {} }))],
    ["no content at all", answerOf(result({}))],
    ["more than is read", answerOf(result({ structuredContent: { x: "y".repeat(600_000) } }))],
  ])("STA-4 says nothing with %s", (_name, answer) => {
    expect(readCallAnswer(answer)).toEqual({ kind: "unknown" });
  });

  it("is an error only when it says so", () => {
    expect(readCallAnswer(answerOf(result({ isError: true, content: [{ type: "text", text: "No." }] })))).toEqual({
      kind: "error",
      value: { text: "No." },
    });
  });

  it("never throws for any bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom("application/json", "text/event-stream"),
        (body, type) => {
          readRpcAnswer({ status: 200, headers: [["content-type", type]], body }, 1_000);
          eventsOf(body);
        },
      ),
    );
  });
});
