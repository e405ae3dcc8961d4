import { createServer, type IncomingMessage } from "node:http";
import { assert, type JsonObject } from "@countersign/wire";
import { GIFT_WRAP } from "./gift-wrap.ts";

/** Somebody else's agent. It has one skill, and works only for those who speak gift wrapping. */
export interface WrappingAgent {
  readonly origin: string;
  readonly skill: JsonObject & { readonly id: string };
  /** The requests that it got. */
  readonly heard: string[];
  close(): Promise<void>;
}

const skill = { id: "whoami", name: "Who am I", description: "Who the caller is here.", tags: ["account"] };

export async function startWrappingAgent(): Promise<WrappingAgent> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const extensions = request.headers["a2a-extensions"] ?? "";
      heard.push(`${request.method} ${request.url}${extensions === "" ? "" : `   A2A-Extensions: ${extensions}`}`);
      const answer = (json: object) =>
        response
          .writeHead(200, { "content-type": "application/json", "a2a-extensions": extensions })
          .end(JSON.stringify(json));
      if (request.method === "GET") return answer(card(origin));
      const { id, params } = JSON.parse(body) as { id: string; params: { message: { metadata?: JsonObject } } };
      heard.push(`    with ${JSON.stringify(params.message.metadata)}`);
      return answer({ jsonrpc: "2.0", id, result: { task: done } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "the server listens on a port");
  const origin = `http://127.0.0.1:${address.port}`;
  return { origin, skill, heard, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

function card(origin: string): JsonObject {
  return {
    name: "Wrapping agent",
    description: "Wraps what is bought for somebody else.",
    version: "1",
    supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: {
      extensions: [
        { uri: GIFT_WRAP, description: "Gift wrapping.", required: true, params: { papers: ["plain", "stars"] } },
      ],
    },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: ["wrapping"] } } }],
    defaultInputModes: ["application/json"],
    defaultOutputModes: ["application/json"],
    skills: [skill],
  };
}

const done: JsonObject = {
  id: "task-1",
  contextId: "context-1",
  status: { state: "TASK_STATE_COMPLETED" },
  artifacts: [{ artifactId: "1", parts: [{ data: { name: "Ada", id: "u-1" }, mediaType: "application/json" }] }],
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
