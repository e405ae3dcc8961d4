import type { BindingHost, Caller } from "@countersign/gateway";
import type { PluginStore } from "@countersign/plugin";
import { canonicalJson, type JsonObject } from "@countersign/wire";
import type { ServerContext } from "@modelcontextprotocol/server";
import { objectAt } from "../json.ts";
import { TASKS_EXTENSION } from "../points.ts";

/** One request as the tools see it: who calls, by which revision, what exactly. No token is in it (AUT-3). */
export interface Call {
  readonly host: BindingHost;
  readonly caller: Caller;
  readonly store: PluginStore;
  readonly era: "legacy" | "modern";
  /** The extensions that this server offers, by identifier. */
  readonly extensions: Readonly<Record<string, JsonObject>>;
  readonly method: string;
  readonly params: JsonObject;
}

/** What a client can do, as it says in this very request: nothing is remembered of an earlier one. */
export interface ClientCan {
  readonly tasks: boolean;
  readonly openUrl: boolean;
}

export function clientCan(call: Call): ClientCan {
  const capabilities = objectAt(objectAt(call.params, "_meta"), "io.modelcontextprotocol/clientCapabilities");
  const modern = call.era === "modern";
  return {
    tasks:
      modern &&
      Object.hasOwn(call.extensions, TASKS_EXTENSION) &&
      objectAt(objectAt(capabilities, "extensions"), TASKS_EXTENSION) !== undefined,
    // `elicitation: {}` alone means forms.
    openUrl: modern && objectAt(objectAt(capabilities, "elicitation"), "url") !== undefined,
  };
}

/** What a kept state is bound to: this caller, this method, this tool, these arguments. */
export function boundTo(call: Call): string {
  const { tenantId, personId, clientId } = call.caller;
  const named = { name: call.params["name"] ?? null, arguments: call.params["arguments"] ?? null };
  return canonicalJson([tenantId, personId, clientId, call.method, named]);
}

/** Tells of a task's states as progress where the client asked for it: our own words alone, and no number twice. */
export function progressOf(ctx: ServerContext): ((task: JsonObject) => Promise<void>) | undefined {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = "";
  let progress = 0;
  return async (task) => {
    const state = String(task["state"]);
    if (state === told) return;
    told = state;
    progress += 1;
    const params = { progressToken, progress, message: state };
    // Who has gone away hears nothing; that is no failure.
    await ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
