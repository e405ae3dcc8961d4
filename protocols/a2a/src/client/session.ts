import { randomUUID } from "node:crypto";
import {
  type Answer,
  type BoundCall,
  type CallAnswer,
  type CallingSession,
  type Ctx,
  type DelegatedToken,
  type Destination,
  type HeldExchange,
  SiteTrouble,
  type Step,
} from "@countersign/plugin";
import {
  assert,
  digestOf,
  err,
  type Json,
  type JsonObject,
  ok,
  parseHttpUrl,
  type Result,
  secret,
} from "@countersign/wire";
import type { JudgedCard } from "../card/read/judge.ts";
import { agentOrigins, audienceOf, GET_TASK_NAME, getTaskDigest, remoteAgent, skillDigest } from "./agent.ts";
import { callAnswer } from "./call-answer.ts";
import type { Cards } from "./cards.ts";
import { expectAnswer } from "./commit-answer.ts";
import { POLL_CAP_MS, POLL_FIRST_MS, POLL_MS_MAX } from "./limits.ts";
import { type Turn, turnOf } from "./turn.ts";
import { type Expected, type Heard, type Raw, readAnswer } from "./wire/answer.ts";
import { type Asked, type WireRequest, wireRequest } from "./wire/request.ts";
import { isWorking } from "./wire/state.ts";
import { cardSentence } from "./words.ts";

/** A remote agent, called for one person. */
export interface A2aSession extends CallingSession {
  readonly kind: "a2a";
  /**
   * Our own name for the person at this agent, once its card has been judged.
   * @throws SiteTrouble when the agent is not to be called.
   */
  subject(): Promise<string>;
  /** Where the agent wants to see the person first, if that is a page of its own; another's is not passed on. */
  signInAt(): string | undefined;
  /** Why the agent is not called, if that is so. */
  refusal(): string | undefined;
}

export interface SessionParts {
  readonly ctx: Ctx;
  readonly destination: Destination;
  readonly cards: Cards;
  /** Told of each token that was made, so that none of it gets back to an agent. */
  onToken(token: DelegatedToken): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

interface Parts {
  readonly card: JudgedCard;
  readonly token: DelegatedToken;
}

type Stop = Extract<CallAnswer, { kind: "sign_in" | "gap" }>;

/**
 * Calls go by the card: it is judged before the first byte leaves, every request names the extensions that were
 * negotiated (a2a.md section 6, rule 4), bears a token of our own issuing for this person and this agent, and is signed
 * where somebody proves who is calling. A skill that commits is held for the boundary.
 */
export function a2aSession({ ctx, destination, cards, onToken, wait }: SessionParts): A2aSession {
  const agent = remoteAgent(destination);
  let made: Promise<Result<DelegatedToken, Stop>> | undefined;
  let wanted: string | undefined;
  let refused: string | undefined;
  const gap = (why: string): { readonly ok: false; readonly reason: Stop } => {
    refused = why;
    return err({ kind: "gap", why });
  };

  const token = (): Promise<Result<DelegatedToken, Stop>> => {
    made ??= (async () => {
      const given = await ctx.delegate(audienceOf(destination));
      if (!given.ok) return gap("no token can be made for this agent's address");
      onToken(given.value);
      return given;
    })();
    return made;
  };

  const judged = async (): Promise<Result<Parts, Stop>> => {
    const given = await token();
    if (!given.ok) return given;
    const card = await cards.of(ctx, destination, given.value.issuer);
    return card.ok ? ok({ card: card.value, token: given.value }) : gap(cardSentence(card.reason));
  };

  /** Everything that has to hold before a byte leaves for the agent. */
  const ready = async (bound: BoundCall): Promise<Result<Parts, Stop>> => {
    const parts = await judged();
    const changed = parts.ok ? await boundProblem(parts.value.card, bound) : undefined;
    return changed === undefined ? parts : gap(changed);
  };

  const build = (
    { card, token: given }: Parts,
    asked: Asked,
    turn: Turn,
  ): { readonly request: Request; readonly expected: Expected } => {
    const uris = card.extensions.activate.map(({ uri }) => uri);
    const wire = wireRequest(card.interface, asked, uris, randomUUID);
    assert(agentOrigins(destination).has(wire.url.origin), "a request stays at the origins that may be called");
    const request = requestOf(wire, given);
    const { taskId, contextId } = turn;
    const expected: Expected = {
      binding: card.interface.binding,
      method: asked.method,
      id: wire.id,
      ...(taskId === undefined ? {} : { taskId }),
      ...(contextId === undefined ? {} : { contextId }),
      // A look at a task runs no agent, so the public library has nothing activated to tell of then (measured, 1.3.0).
      required: asked.method === "SendMessage" ? card.extensions.required : [],
    };
    return { request, expected };
  };

  const ask = async (parts: Parts, asked: Asked, turn: Turn): Promise<Heard> => {
    const { request, expected } = build(parts, asked, turn);
    const heard = readAnswer(await send(ctx, await ctx.withIdentity(request)), expected);
    if (heard.kind === "task" && heard.task.state === "TASK_STATE_AUTH_REQUIRED")
      wanted = ownAddress(heard.task.text, agentOrigins(destination));
    if (heard.kind === "unreadable") ctx.log.info("a2a.unreadable", { destination: destination.id, why: heard.why });
    return heard;
  };

  /** A task that is still at work is looked at again, for as long as a call may take. */
  const untilSettled = async (parts: Parts, heard: Heard): Promise<Heard> => {
    let now = heard;
    let pause = POLL_FIRST_MS;
    for (let waited = 0; now.kind === "task" && isWorking(now.task.state) && waited < POLL_MS_MAX; waited += pause) {
      await wait(pause, ctx.signal);
      if (ctx.signal.aborted) break;
      pause = Math.min(pause * 2, POLL_CAP_MS);
      const { id: taskId, contextId } = now.task;
      now = await ask(parts, { method: "GetTask", taskId }, { taskId, contextId, input: {} });
    }
    return now;
  };

  return {
    kind: "a2a",
    origin: destination.origin,

    async subject() {
      const parts = await judged();
      if (!parts.ok) throw new SiteTrouble("the agent is not to be called");
      return parts.value.token.subject;
    },

    signInAt: () => wanted,
    refusal: () => refused,

    async call(bound, args) {
      assert(!agent.committing.includes(bound.name), "a committing skill is held, never called");
      const parts = await ready(bound);
      if (!parts.ok) return parts.reason;
      const turn = turnOf(args);
      if (turn === undefined) return { kind: "gap", why: `the input of ${bound.name} is not as it should be` };
      if (bound.name === GET_TASK_NAME) {
        const { taskId } = turn;
        if (taskId === undefined) return { kind: "gap", why: "no task is named to look at" };
        return callAnswer(await ask(parts.value, { method: "GetTask", taskId }, turn), "look");
      }
      const params = message(parts.value.card, bound, turn, randomUUID());
      const heard = await ask(parts.value, { method: "SendMessage", params }, turn);
      return callAnswer(await untilSettled(parts.value, heard), "call");
    },

    async hold(bound, args): Promise<Step<HeldExchange>> {
      assert(agent.committing.includes(bound.name), "only a skill that is bound as a commit is held");
      const parts = await ready(bound);
      if (!parts.ok) return parts.reason;
      const turn = turnOf(args);
      if (turn === undefined) return { kind: "gap", why: `the input of ${bound.name} is not as it should be` };
      // One name for all attempts of a task: an agent that knows repetitions by it sees one (a2a.md section 4).
      const messageId = await digestOf({
        v: 1,
        task: ctx.task ?? "",
        skill: bound.name,
        turn: turn as unknown as JsonObject,
      });
      const params = message(parts.value.card, bound, turn, messageId);
      // Not signed here: the gateway signs what it sends once, last of all.
      const { request, expected } = build(parts.value, { method: "SendMessage", params }, turn);
      const body = new Uint8Array(await request.clone().arrayBuffer());
      return {
        kind: "done",
        value: {
          request: {
            method: request.method,
            url: request.url,
            headers: [...request.headers].map(([name, value]) => [name, secret(value)] as const),
            body: secret(body),
          },
          answer: async (answer: Answer) => expectAnswer(answer, expected),
          abandon: async () => {},
        },
      };
    },
  };

  function message(card: JudgedCard, bound: BoundCall, turn: Turn, messageId: string): JsonObject {
    const { taskId, contextId, input } = turn;
    const data: Json = agent.data === "input" ? input : { skill: bound.name, input };
    const { activate } = card.extensions;
    const metadata = activate.flatMap(({ uri, onRequest }): [string, JsonObject][] => {
      const said = onRequest?.();
      return said === undefined ? [] : [[uri, said]];
    });
    return {
      message: {
        messageId,
        role: "ROLE_USER",
        parts: [{ data, mediaType: "application/json" }],
        ...(taskId === undefined ? {} : { taskId }),
        ...(contextId === undefined ? {} : { contextId }),
        ...(activate.length === 0 ? {} : { extensions: activate.map(({ uri }) => uri) }),
        ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
      },
      configuration: { acceptedOutputModes: ["application/json"], returnImmediately: false, historyLength: 0 },
    };
  }
}

/** Why what is bound is not what the card offers now; undefined when it is. */
async function boundProblem(card: JudgedCard, bound: BoundCall): Promise<string | undefined> {
  if (bound.name === GET_TASK_NAME)
    return bound.digest === (await getTaskDigest()) ? undefined : `${GET_TASK_NAME} is bound by another digest`;
  const skill = card.card.skills.find(({ id }) => id === bound.name);
  if (skill === undefined) return `the agent no longer offers ${bound.name}`;
  return bound.digest === (await skillDigest(skill)) ? undefined : `${bound.name} has changed since it was bound`;
}

function requestOf(wire: WireRequest, { token }: DelegatedToken): Request {
  const headers = new Headers({ ...wire.headers, "accept-encoding": "identity" });
  headers.set("authorization", `Bearer ${token.reveal()}`);
  return new Request(wire.url, {
    method: wire.method,
    headers,
    // The egress follows nothing; said here too, so that no other `fetch` would carry the token along.
    redirect: "manual",
    ...(wire.body === undefined ? {} : { body: wire.body }),
  });
}

/** @throws SiteTrouble when no whole answer came back; the cause may quote the request, so it is not kept. */
async function send(ctx: Ctx, request: Request): Promise<Raw> {
  try {
    const answer = await ctx.fetch(request);
    const body = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, header: (name) => answer.headers.get(name) ?? undefined, body };
  } catch {
    throw new SiteTrouble("the agent gave no whole answer");
  }
}

/** The first address in the agent's words that is its own; a link to anybody else's page is nobody's to follow. */
function ownAddress(text: string | undefined, origins: ReadonlySet<string>): string | undefined {
  for (const [found] of (text ?? "").matchAll(/https?:\/\/[^\s"'<>]+/gi)) {
    const url = parseHttpUrl(found.replace(/[.,;:!?)\]]+$/, ""));
    if (url.ok && origins.has(url.value.origin)) return url.value.href;
  }
  return undefined;
}

/** @see CallingSession */
export function isA2aSession(session: CallingSession): session is A2aSession {
  return session.kind === "a2a";
}
