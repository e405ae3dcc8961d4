import { z } from "zod";
import { pointerProblem, type Template, templateProblem } from "./template.ts";

/**
 * How a catalogue operation is done by calls, as an operator writes it down (docs/mcp-client.md). It names what is
 * called, with which arguments, and where in the answers stands what the catalogue wants to know. What can be named
 * where:
 *
 * | name | is | where |
 * |---|---|---|
 * | `parameters` | the request's, as the catalogue validated them | everywhere but `identity` |
 * | `details` | the rows of the account that `details` lists, by parameter: `site_key`, `label`, `kind`, `value` | arguments, terms |
 * | `destination` | `host`, `origin` | arguments, terms |
 * | `answer` | what the call answered | terms, results, conditions |
 * | `kept` | what `terms.keep` kept of the terms' answer | after the terms |
 * | `terms` | the approved terms | commit, outcome, read-back |
 * | `key` | one key for a task, the same for each attempt, for the other side to recognise a repetition by | commit, read-back |
 * | `item` | one entry of a list | below `$each`, in the read-back |
 */

const PARAMETER = /^[a-z][a-z0-9_]{0,59}$/;
const TEXT_MAX = 200;

const template = (...names: readonly string[]) =>
  z.json().superRefine((value, context) => {
    const problem = templateProblem(value as Template, names);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  }) as unknown as z.ZodType<Template>;

const pointer = (...names: readonly string[]) =>
  z.string().superRefine((value, context) => {
    const problem = pointerProblem(value, names);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

const call = (...names: readonly string[]) =>
  z.strictObject({
    name: z.string().min(1).max(TEXT_MAX),
    digest: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "the digest of the definition that was looked at"),
    arguments: template(...names).default({}),
  });

/** `value` equals `is`, or one of `one_of`, as canonical JSON. */
const condition = (...names: readonly string[]) =>
  z
    .strictObject({
      value: template(...names),
      is: template(...names).exactOptional(),
      one_of: z.array(z.json()).min(1).max(50).exactOptional(),
    })
    .refine((c) => (c.is === undefined) !== (c.one_of === undefined), "either is or one_of");

/** Refusals that are recognised, and what they are called; every other error proves nothing. */
const refusals = z
  .array(z.strictObject({ when: z.array(condition("answer")).min(1).max(10), why: z.string().min(1).max(TEXT_MAX) }))
  .max(50)
  .default([]);

const outcome = (...names: readonly string[]) =>
  z.strictObject({
    /** All have to hold, or the answer is not recognised: an answer about something else confirms nothing. */
    when: z
      .array(condition(...names))
      .max(20)
      .default([]),
    confirmation: template(...names),
    result: template(...names),
    /** What was charged or done, by the names of the terms. */
    observed: template(...names).exactOptional(),
  });

const terms = (...names: readonly string[]) => ({
  terms: template(...names),
  /** Texts that enter the record only as salted digests: a delivery address. */
  personal: z.record(z.string().regex(PARAMETER), template(...names)).default({}),
});

const ASKED = ["parameters", "details", "destination"];
const SHOWN = [...ASKED, "answer"];
const AFTER = ["parameters", "terms", "answer"];
const FOUND = [...AFTER, "kept", "key", "item"];
const details = z.array(z.string().regex(PARAMETER)).max(5).default([]);

export const readBinding = z.strictObject({
  operation: z.string().min(1).max(TEXT_MAX),
  details,
  call: call(...ASKED),
  refused: refusals,
  result: template(...SHOWN),
});

export const commitBinding = z.strictObject({
  operation: z.string().min(1).max(TEXT_MAX),
  details,
  /** The last screen before commitment: a call that changes nothing and says what would be charged or done. */
  terms: z.strictObject({
    call: call(...ASKED),
    refused: refusals,
    keep: template(...SHOWN).default({}),
    ...terms(...SHOWN),
  }),
  /** Looks at the very thing again that `terms` has kept; without it the terms' call is made once more. */
  look: z.strictObject({ call: call(...ASKED, "kept"), refused: refusals, ...terms(...SHOWN, "kept") }).exactOptional(),
  commit: z.strictObject({
    call: call(...ASKED, "kept", "terms", "key"),
    confirmed: outcome(...AFTER),
    refused: refusals,
  }),
  /** How the destination is read when the answer to the commit was lost (STA-3). */
  read_back: z
    .strictObject({
      call: call("parameters", "terms", "kept", "key"),
      /** The list that the answer holds; without it, the answer is the one entry. */
      each: pointer("answer").exactOptional(),
      /** The entry's own lasting name: those that were there before the submission are none of ours. */
      id: pointer("item").exactOptional(),
      /** When the entry was made (RFC 3339): one from before the submission is none of ours. */
      at: pointer("item").exactOptional(),
      match: z
        .array(condition(...FOUND))
        .min(1)
        .max(20),
      found: outcome(...FOUND),
      /** Whether an entry that is not there proves that nothing was done, once it has had time to show. */
      absent: z.enum(["proves_nothing", "not_done"]).default("proves_nothing"),
    })
    .refine((b) => b.each === undefined || b.id !== undefined, "entries of a list need their id"),
});

/** Whose account it is, in the destination's own words (U44), and the rows that requests may name. */
export const identityBinding = z.strictObject({
  call: call("destination"),
  name: template("answer"),
  /** The destination's lasting key for the account. */
  key: template("answer").exactOptional(),
  details: z
    .array(
      z.strictObject({
        kind: z.enum(["fulfillment", "instrument", "payee"]),
        each: pointer("answer"),
        site_key: template("item"),
        label: template("item"),
        value: template("item").default({}),
      }),
    )
    .max(3)
    .default([]),
});

export const bindings = z.strictObject({
  identity: identityBinding,
  reads: z.array(readBinding).max(100).default([]),
  commits: z.array(commitBinding).max(100).default([]),
});

export type ReadBinding = z.infer<typeof readBinding>;
export type CommitBinding = z.infer<typeof commitBinding>;
export type IdentityBinding = z.infer<typeof identityBinding>;
export type Bindings = z.infer<typeof bindings>;
export type Condition = CommitBinding["read_back"]["match"][number];
export type Outcome = CommitBinding["commit"]["confirmed"];
export type Refusals = CommitBinding["commit"]["refused"];
