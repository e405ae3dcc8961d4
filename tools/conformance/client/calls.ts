import type { CallingSession } from "@countersign/plugin";
import { type McpSession, toolDigest } from "@countersign/protocol-mcp/client";
import type { JsonObject } from "@countersign/wire";

/** What each scenario wants called, where it is not said in the context. */
const ARGUMENTS: Readonly<Record<string, JsonObject>> = { add_numbers: { a: 5, b: 3 } };

/** Lists the tools, binds them as they are, and calls what the scenario names; answers how it ended. */
export async function runCalls(
  open: McpSession,
  scenario: string,
  context: Readonly<Record<string, unknown>>,
): Promise<"done" | "sign_in"> {
  const session = open.session as CallingSession;
  try {
    const tools = await open.tools().catch((error: unknown) => {
      if (isSignIn(error)) return "sign_in" as const;
      throw error;
    });
    if (tools === "sign_in") return tools;
    const wanted = callsOf(context) ?? [...tools.keys()].map((name) => ({ name, arguments: ARGUMENTS[name] ?? {} }));
    for (const { name, arguments: args } of wanted) {
      const tool = tools.get(name);
      if (tool === undefined || tool === "ambiguous") continue;
      const answer = await session.call({ name, digest: await toolDigest(tool) }, args);
      if (answer.kind === "sign_in") return "sign_in";
      process.stderr.write(`${scenario}: ${name}: ${answer.kind}${answer.kind === "gap" ? ` (${answer.why})` : ""}\n`);
    }
    return "done";
  } finally {
    await open.close();
  }
}

function callsOf(
  context: Readonly<Record<string, unknown>>,
): readonly { readonly name: string; readonly arguments: JsonObject }[] | undefined {
  const { toolCalls } = context;
  return Array.isArray(toolCalls) ? (toolCalls as { name: string; arguments: JsonObject }[]) : undefined;
}

function isSignIn(error: unknown): boolean {
  return error instanceof Error && error.name === "Stopped" && error.message.endsWith("signed_out");
}
