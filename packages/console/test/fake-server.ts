import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type {
  ApprovalDecision,
  ContinuationView,
  LiveServerMessage,
  PasskeysView,
} from "@countersign/gateway/trusted-contract";
import { CONSOLE_STYLE_HASHES } from "../src/index.ts";
import { AUTHORIZATIONS, CONTACT } from "./fake/authorize.ts";
import { type ChangeStreams, changeStreams } from "./fake/changes.ts";
import { EVIDENCE, type FakeData, fakeData } from "./fake/data.ts";
import { PROTOCOLS } from "./fake/protocols.ts";
import { acceptWebSocket, type TestSocket } from "./fake/websocket.ts";

/** For tests alone: canned answers to the trusted contract under the strict policy that the gateway sends. */
export interface FakeServer {
  readonly origin: string;
  readonly data: FakeData;
  /** Every POST that came, in order: its path and its body. */
  readonly posts: { readonly path: string; readonly body: unknown }[];
  /** Every text message of the live view's page. */
  readonly inputs: Record<string, unknown>[];
  /** What the next begun live view shows. */
  readonly live: { frames: readonly Buffer[]; socket: TestSocket | undefined };
  /** `out`: every call is answered 401. `down`: 500. `empty`: lists have no rows. A change ends the open streams. */
  mode: "in" | "out" | "down" | "empty";
  /** Where changes are told; tests may close it, refuse it and say what they like. */
  readonly changes: ChangeStreams;
  /** Milliseconds before each answer to a read. */
  slowMs: number;
  readonly say: (message: LiveServerMessage) => void;
  readonly close: () => Promise<void>;
}

export const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${CONSOLE_STYLE_HASHES.join(" ")}`,
  "img-src 'self' blob:",
  "connect-src 'self' ws:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const FIELDS = [
  { name: "email", label: "Email", kind: "email" },
  { name: "password", label: "Password", kind: "password" },
] as const;
const CODE = [{ name: "code", label: "One-time code", kind: "code" }] as const;

export async function startFakeServer(options: {
  readonly nowMs: number;
  /** The built console. */
  readonly dist: string;
}): Promise<FakeServer> {
  const { nowMs, dist } = options;
  const changes = changeStreams();
  const fake: FakeServer = {
    origin: "",
    data: await fakeData(nowMs),
    posts: [],
    inputs: [],
    live: { frames: [], socket: undefined },
    mode: "in",
    changes,
    slowMs: 0,
    say: (message) => fake.live.socket?.sendText(JSON.stringify(message)),
    close: async () => {
      changes.end();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  let mode: FakeServer["mode"] = "in";
  Object.defineProperty(fake, "mode", {
    get: () => mode,
    set: (next: FakeServer["mode"]) => {
      mode = next;
      changes.end();
    },
  });
  const server = createServer((request, response) => {
    void serve(fake, dist, request, response);
  });
  server.on("upgrade", (request, socket) => {
    const view = acceptWebSocket(request, socket, (text) => fake.inputs.push(JSON.parse(text)));
    fake.live.socket = view;
    fake.say({ type: "role", role: "driver", driven: true });
    fake.say({ type: "location", origin: "https://shop.example", path: "/sign-in", trusted: true });
    fake.live.frames.forEach((jpeg, i) => {
      const head = Buffer.from(JSON.stringify({ id: i + 1, width: 640, height: 400 }));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(head.length);
      view.sendBinary(Buffer.concat([length, head, jpeg]));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(fake, { origin: `http://localhost:${port}` });
}

async function serve(
  fake: FakeServer,
  dist: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  response.setHeader("content-security-policy", CSP);
  if (pathname.startsWith("/trusted/v1/")) {
    const body = await bodyOf(request);
    const path = pathname.slice("/trusted/v1".length);
    if (request.method === "POST") {
      fake.posts.push({ path, body });
      if (!request.headers["x-countersign"]) return answer(response, 403, { reason: "forbidden" });
    }
    if (path === "/changes" && fake.mode === "in" && fake.changes.open(response)) return;
    if (fake.slowMs > 0 && request.method === "GET") await new Promise((done) => setTimeout(done, fake.slowMs));
    const { status, value } = reply(fake, request.method ?? "GET", path, body);
    return answer(response, status, value);
  }
  if (pathname === "/api/v1/protocols")
    return answer(response, 200, fake.mode === "empty" ? { protocols: [], catalogue: [] } : PROTOCOLS);
  const file = pathname.startsWith("/assets/") ? pathname : "/index.html";
  const bytes = await readFile(join(dist, file)).catch(() => undefined);
  if (bytes === undefined) return answer(response, 404, {});
  response.setHeader("content-type", TYPES[extname(file)] ?? "text/html; charset=utf-8");
  response.end(bytes);
}

interface Reply {
  readonly status: number;
  readonly value?: object;
}

function reply(fake: FakeServer, method: string, path: string, body: unknown): Reply {
  if (path === "/sign-in") return { status: 200, value: { outside: { title: "Acme ID" } } };
  if (fake.mode === "out" && !(path === "/session" && method === "POST"))
    return { status: 401, value: { reason: "unauthenticated" } };
  if (fake.mode === "down") return { status: 500, value: { reason: "internal" } };
  const [, list = "", ref = "", verb = ""] = path.split("/");
  if (list === "session")
    return method === "POST"
      ? { status: 204 }
      : { status: 200, value: { ...SESSION, ...(fake.data.practice === undefined ? {} : { practice: true }) } };
  if (list === "passkeys" && method === "GET") return { status: 200, value: passkeys(fake) };
  if (list === "connections") return { status: 200, value: { continuation_ref: "cont_form" } };
  if (list === "contact") return { status: 200, value: CONTACT };
  if (list === "destinations") return { status: 200, value: { destinations: DESTINATIONS } };
  if (list === "practice") return practice(fake, method, body);
  if (list === "tasks" && verb === "records")
    return { status: 200, value: { records: ref === "task_done" ? fake.data.records : [] } };
  if (list === "tasks" && verb === "bundle")
    return ref === "task_done"
      ? { status: 200, value: fake.data.bundle }
      : { status: 409, value: { reason: "not_ready" } };
  if (list === "inbox") return { status: 200, value: fake.mode === "empty" ? { items: [] } : fake.data.inbox };
  const rows = rowsOf(fake.data, list);
  if (rows === undefined) return { status: 404, value: { reason: "not_found" } };
  if (ref === "") return { status: 200, value: { [list]: fake.mode === "empty" ? [] : rows } };
  const at = rows.findIndex((row) => Object.values(row)[0] === ref);
  const row = rows[at];
  if (row === undefined) return { status: 404, value: { reason: "not_found" } };
  if (method === "GET") return { status: 200, value: row };
  if (verb === "form") return form(body);
  if (verb === "complete") return { status: 200, value: { outcome: "connected", account_name: "Alex Example" } };
  const changed = { ...row, ...changeOf(row as Partial<ContinuationView>, list, verb, body) };
  rows[at] = changed;
  return verb === "disconnect" ? { status: 204 } : { status: 200, value: changed };
}

const SESSION = {
  person: { name: "Alex" },
  expires_at: "2026-12-01T10:00:00Z",
  issuer: EVIDENCE.issuer,
  pin: EVIDENCE.pin,
  began: "passkey",
  passkeys: 2,
};
function passkeys(fake: FakeServer): PasskeysView {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const sessions = [
    {
      session_ref: "s1",
      device: "Firefox on Windows",
      began: "passkey",
      began_at: at(-2),
      last_seen_at: at(0),
      this_one: true,
    },
    { session_ref: "s2", device: "Safari on iPhone", began: "link", began_at: at(-9), last_seen_at: at(-1) },
  ] as const;
  const events = [
    { event_id: "e2", kind: "passkey_added", label: "Phone \u202Egpj", at: at(-1), is_new: true },
    { event_id: "e1", kind: "passkey_removed", label: "Old laptop", at: at(-200) },
  ] as const;
  const enrolled = [
    { credential_id: "cred1", label: "Work laptop", added_at: at(-900), last_used_at: at(-2), standing: "counts" },
    { credential_id: "cred2", label: "Phone \u202Egpj", added_at: at(-1), standing: "settling", counts_from: at(23) },
  ] as const;
  const empty = fake.mode === "empty";
  return {
    passkeys: empty ? [] : enrolled,
    new_passkey: "settles",
    suggested_label: "Firefox on Windows",
    sessions: empty ? sessions.slice(0, 1) : sessions,
    events: empty ? [] : events,
  };
}

const DESTINATIONS = [
  { id: "practice-shop", title: "Practice shop", origin: "https://shop.example", routes: ["browser", "http"] },
];

function rowsOf(data: FakeData, list: string): object[] | undefined {
  const lists: Readonly<Record<string, object[]>> = {
    agents: data.agents,
    accounts: data.accounts,
    consents: data.consents,
    continuations: data.continuations,
    approvals: data.approvals,
    tasks: data.tasks,
    receipts: data.receipts,
    authorities: data.authorities,
    authorizations: [...AUTHORIZATIONS],
  };
  return lists[list];
}

function practice(fake: FakeServer, method: string, body: unknown): Reply {
  const { practice: board } = fake.data;
  if (board === undefined) return { status: 404, value: { reason: "not_found" } };
  if (method === "POST" && typeof body === "object" && body !== null && "switch" in body) {
    const { switch: id, on } = body as { switch: string; on: boolean };
    fake.data.practice = { ...board, switches: board.switches.map((s) => (s.id === id ? { id, on } : s)) };
  }
  return { status: 200, value: fake.data.practice ?? board };
}

const BANK = [{ name: "bank", label: "Code from your bank", kind: "code" }] as const;

function form(body: unknown): Reply {
  const { values } = body as { values: Record<string, string> };
  if (values["bank"] === "123456") return { status: 200, value: { kind: "done", task_state: "succeeded" } };
  if (values["bank"] !== undefined)
    return { status: 200, value: { kind: "more", fields: BANK, message: "Your bank did not take that code." } };
  if (values["code"] !== undefined) return { status: 200, value: { kind: "done", account_name: "Alex Example" } };
  if (values["password"] !== "right")
    return { status: 200, value: { kind: "refused", message: "The site does not know these." } };
  return { status: 200, value: { kind: "more", fields: CODE, message: "A code is on its way." } };
}

function changeOf(row: Partial<ContinuationView>, list: string, verb: string, body: unknown): object {
  if (list === "continuations" && row.kind === "verification") return { state: "begun", mode: "form", fields: BANK };
  if (list === "continuations")
    return row.route === "browser"
      ? { state: "begun", mode: "live" }
      : { state: "begun", mode: "form", fields: row.route === "http" ? FIELDS : [] };
  if (list === "approvals") {
    const { decision } = body as ApprovalDecision;
    return { status: decision, decided_at: "2026-11-30T10:05:00Z", task_state: after(decision) };
  }
  if (verb === "narrow") return { granted: body };
  if (verb === "revoke") return { state: "revoked" };
  if (verb === "withdraw") return { state: "cancelled" };
  if (verb === "looked") return { asks_what_was_seen: undefined, needs_review: false, state: "validating" };
  if (verb === "enrol")
    return {
      settling: { ...(body as object), enrolled_at: "2026-11-30T10:00:00Z", counts_from: "2026-12-01T10:00:00Z" },
    };
  if (verb === "remove") return { settling: undefined, enrolment: undefined };
  const { decision } = body as { decision?: string };
  if (decision === "grant")
    return { state: "granted", granted: body, account: { account_ref: "acc_1", name: "Alex Example" } };
  return decision === "accept" ? { state: "accepted" } : decision === "refuse" ? { state: "refused" } : {};
}

function after(decision: ApprovalDecision["decision"]): string {
  return decision === "approved" ? "executing" : "denied";
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const part of request) text += String(part);
  return text === "" ? undefined : JSON.parse(text);
}

function answer(response: ServerResponse, status: number, value: object | undefined): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.setHeader("cache-control", "no-store");
  response.end(value === undefined ? undefined : JSON.stringify(value));
}
