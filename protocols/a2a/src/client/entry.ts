import { type Bindings, type CalledEntry, type CallingSession, calledEntry } from "@countersign/plugin";
import { assert } from "@countersign/wire";
import { type AgentIdentity, GET_TASK_NAME, type RemoteAgent } from "./agent.ts";
import { readCommitAnswer } from "./commit-answer.ts";
import { isA2aSession } from "./session.ts";

/** A remote agent as a destination's entry. */
export interface AgentSettings extends Omit<RemoteAgent, "committing" | "skills"> {
  readonly bindings: Omit<Bindings, "identity">;
  readonly identity: AgentIdentity;
}

/**
 * The operations that a remote agent's skills are bound to (MAP-5).
 * @throws AssertionFailed when one skill is bound both as a commit and as a look.
 */
export function a2aEntry(settings: AgentSettings): CalledEntry<RemoteAgent> {
  const { bindings, identity, ...agent } = settings;
  const { committing, looking } = boundSkills(bindings, identity);
  assert(bindingProblem(bindings, identity) === undefined, "a skill that commits is bound for nothing else");
  const skills = [...committing, ...looking].filter((name) => name !== GET_TASK_NAME);
  return calledEntry({
    route: "a2a",
    signIn: { ...agent, committing: [...committing], skills },
    bindings,
    identity: identity === "by_token" ? (_ctx, session) => byToken(session) : identity,
    readAnswer: readCommitAnswer,
  });
}

/** What is wrong with a set of bindings that are each in order, in a sentence; undefined when nothing is. */
export function bindingProblem(bindings: Omit<Bindings, "identity">, identity: AgentIdentity): string | undefined {
  const { committing, looking } = boundSkills(bindings, identity);
  const both = [...committing].find((name) => looking.has(name));
  if (both !== undefined) return `the skill ${both} commits, so it is bound for nothing else`;
  return committing.has(GET_TASK_NAME) ? `${GET_TASK_NAME} looks at a task and commits nothing` : undefined;
}

function boundSkills(bindings: Omit<Bindings, "identity">, identity: AgentIdentity) {
  const looking = [
    ...bindings.reads.map(({ call }) => call.name),
    ...bindings.commits.flatMap(({ terms, look, read_back: back }) => [
      terms.call.name,
      ...(look === undefined ? [] : [look.call.name]),
      back.call.name,
    ]),
    ...(identity === "by_token" ? [] : [identity.call.name]),
  ];
  return { committing: new Set(bindings.commits.map(({ commit }) => commit.call.name)), looking: new Set(looking) };
}

/** The agent knows the person by the subject of our tokens alone; nothing else is known of the account. */
async function byToken(session: CallingSession) {
  assert(isA2aSession(session), "a session of the a2a route");
  const key = await session.subject();
  return { name: `Known there as ${key.slice(0, SHOWN_CHARS)}`, key, details: [] };
}

const SHOWN_CHARS = 8;
