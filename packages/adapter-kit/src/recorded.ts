import { err, ok, parseJson, type Result } from "@countersign/wire";
import { z } from "zod";
import { type CheckSite, type Effect, FAULTS, type FaultName } from "./contract.ts";
import { RECORDING_BYTES_MAX } from "./limits.ts";

// A site made of recorded answers, for who has no sandbox to try an adapter at. An exchange holds under its conditions:
// before or after the act, and with a fault on; of those that hold, the one with the most faults is answered, then the one
// with the most conditions. What was never recorded is not answered at all, so that nothing is invented.

const condition = z.enum(["before", "after", ...FAULTS]);
const json: z.ZodType<unknown> = z.unknown();

const exchange = z.strictObject({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** With its query, as it was asked. */
  path: z.string().startsWith("/"),
  when: z.array(condition).default([]),
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.string()).default({}),
  /** A text is answered as it is, anything else as JSON. */
  body: json.optional(),
  /** What the site has done once it has answered this. */
  effect: z
    .strictObject({ operation: z.string(), ref: z.string(), facts: z.record(z.string(), z.json()) })
    .exactOptional(),
});

const recording = z.strictObject({
  v: z.literal(1),
  origin: z.url(),
  /** What the person types, a form at a time; made up, since recordings are kept. */
  person: z.array(z.record(z.string(), z.string())).default([]),
  exchanges: z.array(exchange).min(1),
});

export type Exchange = z.infer<typeof exchange>;
export type Recording = z.infer<typeof recording>;

export function parseRecording(text: string): Result<Recording, string> {
  const parsed = parseJson(text, { maxBytes: RECORDING_BYTES_MAX, maxDepth: 32 });
  if (!parsed.ok) return err("it is no strict JSON");
  const judged = recording.safeParse(parsed.value);
  if (judged.success) return ok(judged.data);
  const { path = [], message = "" } = judged.error.issues[0] ?? {};
  return err(`${path.join("/")}: ${message}`);
}

/** A `CheckSite` that answers from a recording. */
export function recordedSite(from: Recording): CheckSite {
  let done: (Effect & { readonly operation: string })[] = [];
  let faults = new Set<FaultName>();
  return {
    origin: from.origin,
    person: () => from.person,
    reset: () => {
      done = [];
      faults = new Set();
    },
    fault: (name) => {
      const isRecorded = from.exchanges.some((each) => each.when.includes(name));
      if (isRecorded) faults.add(name);
      return isRecorded;
    },
    effects: (operation) => done.filter((each) => each.operation === operation),
    close: async () => {},
    async handle(request) {
      const { pathname, search } = new URL(request.url);
      const holds = (when: Exchange["when"][number]): boolean =>
        when === "before" ? done.length === 0 : when === "after" ? done.length > 0 : faults.has(when);
      const fitting = from.exchanges
        .filter((each) => each.method === request.method && each.path === pathname + search && each.when.every(holds))
        .sort((a, b) => weightOf(b) - weightOf(a));
      const [found] = fitting;
      if (found === undefined) throw new TypeError(`nothing was recorded for ${request.method} ${pathname}`);
      if (found.effect !== undefined) {
        const { operation, ref, facts } = found.effect;
        // A second act is another one, and has a number of its own.
        const again = done.length === 0 ? "" : `-${done.length + 1}`;
        done.push({ operation, ref: `${ref}${again}`, facts: facts as Effect["facts"] });
      }
      return answerOf(found);
    },
  };
}

/** A fault changes what a site answers whatever it has done. */
function weightOf({ when }: Exchange): number {
  const times = when.filter((each) => each === "before" || each === "after").length;
  return (when.length - times) * FAULT_WEIGHT + times;
}

const FAULT_WEIGHT = 10;

function answerOf({ status, headers, body }: Exchange): Response {
  const isText = typeof body === "string";
  const type = isText ? "text/html" : "application/json";
  const text = body === undefined ? null : isText ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": type, ...headers } });
}
