import type { JsonObject } from "@countersign/wire";

/** An agent's right to speak: what it presents as `Authorization`, renewed by whoever made it. */
export interface AgentAccess {
  readonly name: string;
  /** The header's value, for example `Bearer …`; undefined for none at all. */
  authorization(): Promise<string | undefined>;
  /** Asks the token endpoint for an access token for another API (RFC 8707). Absent where tokens come otherwise. */
  tokenFor?(resource: string): Promise<"refused" | { readonly authorization: string }>;
}

/** What an agent is answered, in the profile's terms, whatever binding carried it. */
export interface Answer {
  /** The HTTP status; for another binding the status that the profile's table of reasons has for the reason. */
  readonly status: number;
  /** Why it was refused; undefined when it was taken. */
  readonly reason: string | undefined;
  /** The answer says of itself that it replays an existing task (REQ-4). */
  readonly replayed: boolean;
  readonly body: JsonObject;
  readonly text: string;
  /** All that a caller can tell two answers apart by, but for the time of day. */
  readonly visible: string;
}

export interface TaskEvent {
  readonly seq: number;
  readonly state: string;
}

/** One agent's side of a binding. */
export interface AgentPort {
  /** A request as an object, or as the text of a body that is not a good one. */
  submit(request: JsonObject | string): Promise<Answer>;
  tasks(): Promise<Answer>;
  task(taskId: string): Promise<Answer>;
  result(taskId: string): Promise<Answer>;
  /** The newest signed receipt, as a compact JWS in `receipt`. */
  receipt(taskId: string): Promise<Answer>;
  /** Every event after `after`, until the task settles or `limitMs` passes; or the refusal. */
  events(
    taskId: string,
    after: number,
  ): Promise<{ readonly answer: Answer; readonly events: readonly TaskEvent[] | undefined }>;
  cancel(taskId: string): Promise<Answer>;
  accounts(): Promise<Answer>;
  capabilities(accountRef: string): Promise<Answer>;
  requestConsent(body: JsonObject): Promise<Answer>;
  consent(consentRef: string): Promise<Answer>;
}

/** A binding of the profile. HTTP is the only one now; another is another module with this shape. */
export interface AgentTransport {
  readonly name: string;
  as(access: AgentAccess): AgentPort;
}

/** Everything that agents were sent in a run, for the case that looks for secrets in it (AUT-4, REC-2). */
export interface Transcript {
  readonly texts: readonly string[];
  add(text: string): void;
}

export function newTranscript(): Transcript {
  const texts: string[] = [];
  return { texts, add: (text) => void texts.push(text) };
}
