import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Call } from "../call.ts";
import { publishedOnce } from "./published.ts";

/** What tools/list says of a tool that only looks. All four hints, always: absent ones would mean something else. */
export const LOOKS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
/** A tool that acts; repeated with the same key it is the same act. */
export const ACTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
/** A tool that leaves a request with the account holder, or withdraws one; a repetition asks again. */
export const ASKS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

export type ToolAnswer = CallToolResult | InputRequiredResult;

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
}

/** A tool as servers register it: its input has been judged when it runs. */
export interface Tool extends Described {
  readonly input: StandardSchemaWithJSON;
  readonly output: StandardSchemaWithJSON;
  run(call: Call, input: unknown, ctx: ServerContext): Promise<ToolAnswer>;
}

export interface ToolOptions<I extends z.ZodType> extends Described {
  /** Strict: what is not named here is refused (REQ-3). */
  readonly input: I;
  readonly output: z.ZodType;
  run(call: Call, input: z.output<I>, ctx: ServerContext): Promise<ToolAnswer>;
}

/** Keeps the types of one tool together, and forgets them for the list. */
export function tool<I extends z.ZodType>(given: ToolOptions<I>): Tool {
  return {
    ...given,
    input: publishedOnce(given.input),
    output: publishedOnce(given.output),
    run: (call, input, ctx) => given.run(call, input as z.output<I>, ctx),
  };
}
