import { type BindingHost, BindingRefused, type OpenBinding } from "@countersign/gateway";
import { GATEWAY_ORIGIN, type HttpEntry } from "@countersign/plugin";
import { assert, ok, type Result } from "@countersign/wire";
import { answerDocument, KEYS_PATH, type ServedCard, serveCard } from "../card/served.ts";
import type { A2aExtension } from "../extensions/extension.ts";
import { extensionProblems } from "../extensions/judge.ts";
import { BLOCK_MS } from "../limits.ts";
import { FACE_URI, ORCHESTRATION_URI } from "../points.ts";
import { A2A_CARD_PATH, A2A_PATH } from "../versions.ts";
import type { A2aError } from "../wire/errors.ts";
import type { Call, Door } from "./call.ts";
import { serveHttpJson } from "./http-json.ts";
import { serveJsonRpc } from "./json-rpc.ts";
import { echo, negotiate } from "./negotiate.ts";
import { renderPush } from "./push-message.ts";

// The A2A door. A task of the protocol is a task of the gateway and nothing beside it: no work is done here, and what is
// remembered is which task a message made. Each request stands by itself, so any gateway of the store can answer it.

export interface DoorOptions {
  /** How long a blocking send blocks. */
  readonly blockMs?: number;
}

type Serve = (
  request: Request,
  begin: () => Result<Call, A2aError>,
  headers: Readonly<Record<string, string>>,
) => Promise<Response>;

/** @throws BindingRefused when the card would publish an extension twice, a reserved one, or a credential. */
export function openA2a(
  host: BindingHost,
  extensions: readonly A2aExtension[],
  options: DoorOptions = {},
): OpenBinding {
  const own: readonly string[] = [ORCHESTRATION_URI, FACE_URI];
  const problems = extensionProblems(
    extensions.map((one) => ({ ...one, whose: own.includes(one.uri) ? "own" : "others" })),
  );
  if (problems.length > 0) throw new BindingRefused(problems);

  const served: { card?: ServedCard } = {};
  const card = (): ServedCard => {
    assert(served.card !== undefined, "nothing is asked before the start");
    return served.card;
  };
  const door: Door = { extensions, card, blockMs: options.blockMs ?? BLOCK_MS };

  const agent = (method: string, path: string, serve: Serve): HttpEntry => ({
    origin: GATEWAY_ORIGIN,
    method,
    path,
    auth: "agent",
    resource: A2A_PATH,
    async handler(request, { store, signal }) {
      const caller = host.callerOf(request);
      assert(caller !== undefined, "the gateway has judged who calls");
      const active = negotiate(request, extensions);
      const begin = (): Result<Call, A2aError> =>
        active.ok ? ok({ host, caller, store, signal, door, active: active.value }) : active;
      return serve(request, begin, active.ok ? echo(active.value) : {});
    },
  });
  const open = (path: string, document: () => ServedCard["card"]): HttpEntry => ({
    origin: GATEWAY_ORIGIN,
    method: "GET",
    path,
    auth: "public",
    handler: async (request) => answerDocument(request, document()),
  });
  const rest = (method: string, path: string) => agent(method, `${A2A_PATH}${path}`, serveHttpJson);

  return {
    entries: [
      open(A2A_CARD_PATH, () => card().card),
      open(KEYS_PATH, () => card().keySet),
      agent("POST", A2A_PATH, serveJsonRpc),
      // Names with a colon in them (`message:send`, `{id}:cancel`) are read by the handler.
      rest("POST", "/:operation"),
      rest("GET", "/:collection"),
      rest("GET", "/tasks/:task"),
      rest("POST", "/tasks/:task"),
      rest("GET", "/tasks/:task/:list"),
      rest("POST", "/tasks/:task/:list"),
      rest("GET", "/tasks/:task/:list/:config"),
      rest("DELETE", "/tasks/:task/:list/:config"),
    ],
    async start() {
      const { issuer, authorizationServer } = host;
      const pushes = host.pushes === undefined ? "off" : "offered";
      const facts = { issuer, authorizationServer, extensions, pushes } as const;
      served.card = await serveCard(facts, await host.signing());
    },
    push: renderPush({ keys: () => card().keys, keysUrl: `${host.issuer}${KEYS_PATH}`, now: host.now }),
    close: async () => {},
  };
}
