import type { CallToolResult, InputRequiredResult, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Call } from "../call.ts";

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

export interface Tool<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Strict: what is not named here is refused (REQ-3). */
  readonly input: I;
  readonly output: O;
  run(call: Call, input: z.output<I>, ctx: ServerContext): Promise<ToolAnswer>;
}

/** Keeps the types of one tool together, and forgets them for the list. */
export function tool<I extends z.ZodType, O extends z.ZodType>(given: Tool<I, O>): Tool {
  return given as unknown as Tool;
}
