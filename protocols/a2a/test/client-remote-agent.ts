import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { AgentCard, Task } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from "@a2a-js/sdk/server";
import { assert, isJsonObject, type Json, type JsonObject } from "@countersign/wire";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { type TestSigner, testSigner } from "../src/card/read/fixture.ts";

/** An order of the agent's shop. */
export interface ShopOrder {
  readonly number: string;
  readonly owner: string;
  readonly key: string;
  readonly sku: string;
  readonly quantity: number;
  readonly total_minor: number;
  readonly placed_at: string;
}

/** What goes wrong, one after the other or until it is taken back. */
export interface Faults {
  /** The order is taken, and its answer does not come. */
  cutAfterOrder?: boolean;
  /** The order does not get through, and no answer comes. */
  cutBeforeOrder?: boolean;
  /** The person has to be seen at the agent's own page first; this is what it says. */
  signInFirst?: string;
  /** Added to the price from now on. */
  dearer?: number;
  /** What is charged beyond what was quoted. */
  overcharge?: number;
  soldOut?: boolean;
  /** Changes an answer to an order on its way out. */
  lie?: (answer: JsonObject) => JsonObject;
  /** Says nothing about extensions. */
  silentAboutExtensions?: boolean;
}

export interface RemoteAgent {
  readonly origin: string;
  readonly signer: TestSigner;
  readonly orders: ShopOrder[];
  readonly faults: Faults;
  /** Every request, whole, as it came: the card's, the keys' and the agent's own. */
  readonly seen: { readonly method: string; readonly path: string; readonly head: string; readonly body: string }[];
  /** Requests to the agent itself. */
  calls(): number;
  /** Subjects of the tokens that it took. */
  readonly subjects: Set<string>;
  /** What is served as the card from now on; it is signed by {@link signer} unless told otherwise. */
  card: (card: JsonObject) => JsonObject;
  sign: boolean;
  readonly skills: readonly JsonObject[];
  close(): Promise<void>;
}

export const RECEIPTS = "https://extensions.example/receipts/v1";
const PRICE = 4_990;

const SKILLS: readonly JsonObject[] = [
  ["account", "Who the caller is here."],
  ["quote", "What an order would cost."],
  ["quote-look", "The same quote again."],
  ["order", "Places the order of a quote."],
  ["orders", "The orders so far."],
].map(([id = "", description = ""]) => ({ id, name: id, description, tags: ["shop"] }));

/** A remote agent with a shop in memory, served by the public library; it takes the tokens of one issuer. */
export async function startRemoteAgent(options: {
  readonly issuer: () => string;
  readonly binding: "JSONRPC" | "HTTP+JSON";
}): Promise<RemoteAgent> {
  const signer = await testSigner();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  const origin = `http://127.0.0.1:${address.port}`;
  const agent: Omit<RemoteAgent, "close"> & { card: RemoteAgent["card"]; sign: boolean } = {
    origin,
    signer,
    orders: [],
    faults: {},
    seen: [],
    calls: () => agent.seen.filter(({ path }) => path.startsWith("/a2a")).length,
    subjects: new Set(),
    card: (card) => card,
    sign: true,
    skills: SKILLS,
  };
  const wireCard = cardOf(origin, options.binding);
  const handler = new DefaultRequestHandler(AgentCard.fromJSON(wireCard), new InMemoryTaskStore(), shopExecutor(agent));
  const rpc = new JsonRpcTransportHandler(handler);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void serve(agent, wireCard, rpc, options.issuer, request, response).catch(() => response.destroy());
  });
  return Object.assign(agent, { close: () => closed(server) });
}

function cardOf(origin: string, binding: string): JsonObject {
  return {
    name: "Harbour agent",
    description: "Buys at Harbour & Hill.",
    version: "1.0.0",
    supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: binding, protocolVersion: "1.0" }],
    capabilities: { streaming: true, extensions: [{ uri: RECEIPTS, description: "Receipts.", required: true }] },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } } },
    securityRequirements: [{ schemes: { bearer: { list: ["shop"] } } }],
    defaultInputModes: ["application/json"],
    defaultOutputModes: ["application/json"],
    skills: SKILLS,
  };
}

async function serve(
  agent: RemoteAgent | (Omit<RemoteAgent, "close"> & { sign: boolean }),
  wireCard: JsonObject,
  rpc: JsonRpcTransportHandler,
  issuer: () => string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString("utf8");
  const path = request.url ?? "";
  agent.seen.push({ method: request.method ?? "", path, head: request.rawHeaders.join("\n"), body });
  const answer = (status: number, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(json));
  if (path === "/.well-known/agent-card.json") {
    const card = agent.card(wireCard);
    return answer(200, agent.sign ? await agent.signer.sign(card) : card);
  }
  const subject = await subjectOf(request, issuer(), agent.origin);
  if (subject === undefined) return answer(401, { error: "unauthorized" }, { "www-authenticate": "Bearer" });
  agent.subjects.add(subject);
  const context = new ServerCallContext({
    requestedExtensions: String(request.headers["a2a-extensions"] ?? "")
      .split(",")
      .map((uri) => uri.trim())
      .filter((uri) => uri !== ""),
    requestedVersion: String(request.headers["a2a-version"] ?? ""),
    user: { isAuthenticated: true, userName: subject },
  });
  const http = path.startsWith("/a2a/");
  const asked = http ? httpAsked(path, body) : (JSON.parse(body) as JsonObject);
  const isOrder = body.includes('"skill":"order"');
  if (isOrder && agent.faults.cutBeforeOrder === true) return void request.socket.destroy();
  let out = (await rpc.handle(asked, context)) as unknown as JsonObject;
  if (isOrder && agent.faults.cutAfterOrder === true) return void request.socket.destroy();
  if (isOrder && agent.faults.lie !== undefined) out = agent.faults.lie(JSON.parse(JSON.stringify(out)) as JsonObject);
  const activated = agent.faults.silentAboutExtensions === true ? [] : (context.activatedExtensions ?? []);
  const headers: Record<string, string> = activated.length === 0 ? {} : { "a2a-extensions": activated.join(",") };
  if (!http) return answer(200, out, headers);
  const error = out["error"] as JsonObject | undefined;
  if (error === undefined) return answer(200, out["result"], { ...headers, "content-type": "application/a2a+json" });
  return answer(400, { error: { code: 400, status: "INVALID_ARGUMENT", message: "no", details: error["data"] ?? [] } });
}

/** The library has its HTTP binding behind a framework only; its handler takes the same calls. */
function httpAsked(path: string, body: string): JsonObject {
  const url = new URL(path, "http://agent");
  const task = /^\/a2a\/tasks\/([^/]+)$/.exec(url.pathname)?.[1];
  if (task !== undefined)
    return {
      jsonrpc: "2.0",
      id: "http",
      method: "GetTask",
      params: { id: decodeURIComponent(task), historyLength: 0 },
    };
  assert(url.pathname === "/a2a/message:send", "a path of the binding");
  return { jsonrpc: "2.0", id: "http", method: "SendMessage", params: JSON.parse(body) as JsonObject };
}

async function subjectOf(request: IncomingMessage, issuer: string, audience: string): Promise<string | undefined> {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  try {
    const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/countersign-delegation-keys`));
    const { payload } = await jwtVerify(token, keys, { issuer, audience, typ: "at+jwt", algorithms: ["ES256"] });
    return payload.sub;
  } catch {
    return undefined;
  }
}

/** What a skill comes to: a state, and data or words. */
interface Outcome {
  readonly state: string;
  readonly data?: Json;
  readonly text?: string;
}

const done = (data: Json): Outcome => ({ state: "TASK_STATE_COMPLETED", data });
const gone: Outcome = { state: "TASK_STATE_FAILED", data: { error: "gone" } };

type Running = Pick<RemoteAgent, "orders" | "faults">;

/** The shop: quotes that stand, and orders. */
function openShop(agent: Running): (owner: string, skill: string, input: JsonObject) => Outcome {
  const quotes = new Map<string, JsonObject>();
  const quoteFor = (input: JsonObject): JsonObject => {
    const id = `q${quotes.size + 1}`;
    const quote = { quote_id: id, sku: String(input["sku"]), quantity: Number(input["quantity"]) };
    quotes.set(id, quote);
    return quote;
  };
  const shown = (quote: JsonObject): JsonObject => {
    const each = PRICE + (agent.faults.dearer ?? 0);
    const total = each * Number(quote["quantity"]);
    return { ...quote, currency: "EUR", total_minor: total, unit_minor: each, title: "Trail Lamp 200" };
  };
  const place = (owner: string, quote: JsonObject, key: string): JsonObject => {
    const order: ShopOrder = {
      number: `AO-${agent.orders.length + 1}`,
      owner,
      key,
      sku: String(quote["sku"]),
      quantity: Number(quote["quantity"]),
      total_minor: Number(shown(quote)["total_minor"]) + (agent.faults.overcharge ?? 0),
      placed_at: new Date().toISOString().replace(/\.\d+Z$/, "Z"),
    };
    agent.orders.push(order);
    return { ...order, currency: "EUR" };
  };
  return (owner, skill, input) => {
    const known = quotes.get(String(input["quote_id"]));
    switch (skill) {
      case "account":
        if (agent.faults.signInFirst !== undefined)
          return { state: "TASK_STATE_AUTH_REQUIRED", text: agent.faults.signInFirst };
        return done({
          id: owner,
          name: "Ada at Harbour",
          addresses: [{ id: "home", label: "Home", text: "1 Quay" }],
        });
      case "quote":
        if (agent.faults.signInFirst !== undefined)
          return { state: "TASK_STATE_AUTH_REQUIRED", text: agent.faults.signInFirst };
        // One that waits is ordered within its own task.
        return input["wait"] === true
          ? { state: "TASK_STATE_INPUT_REQUIRED", data: shown(quoteFor(input)) }
          : done(shown(quoteFor(input)));
      case "quote-look":
        return known === undefined ? gone : done(shown(known));
      case "order":
        if (agent.faults.soldOut === true) return { state: "TASK_STATE_REJECTED", data: { error: "sold_out" } };
        return known === undefined ? gone : done(place(owner, known, String(input["key"])));
      case "orders":
        return done({ orders: agent.orders.filter((order) => order.owner === owner) as unknown as JsonObject[] });
      default:
        return { state: "TASK_STATE_REJECTED", data: { error: "unknown_skill" } };
    }
  };
}

function shopExecutor(agent: Running): AgentExecutor {
  const act = openShop(agent);
  let artifacts = 0;
  return {
    async execute(context, bus) {
      const [part] = context.userMessage.parts;
      const data: unknown = part?.content?.$case === "data" ? part.content.value : undefined;
      assert(isJsonObject(data as Json), "the message has data");
      const { skill, input } = data as JsonObject;
      for (const uri of context.context?.requestedExtensions ?? []) context.context?.addActivatedExtension(uri);
      const outcome = act(context.context?.user?.userName ?? "", String(skill), input as JsonObject);
      const earlier = context.task === undefined ? {} : (Task.toJSON(context.task) as JsonObject);
      const { taskId, contextId } = context;
      const said = { messageId: `m-${taskId}`, role: "ROLE_AGENT", parts: [{ text: outcome.text ?? "" }] };
      artifacts += 1;
      const result = {
        artifactId: `a-${artifacts}`,
        parts: [{ data: outcome.data ?? {}, mediaType: "application/json" }],
      };
      const task = {
        id: taskId,
        contextId,
        status: { state: outcome.state, ...(outcome.text === undefined ? {} : { message: said }) },
        artifacts: [...((earlier["artifacts"] ?? []) as JsonObject[]), ...(outcome.data === undefined ? [] : [result])],
      };
      bus.publish(AgentEvent.task(Task.fromJSON(task)));
      bus.finished();
    },
    async cancelTask() {},
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
