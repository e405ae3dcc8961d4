import type { Json, JsonObject } from "@countersign/wire";
import type { Call } from "./call.ts";
import { type GatewayTask, isOver, taskIdOf, UNTRUSTED } from "./task-view.ts";

/** What a task that is over has to show: the operation's result, and the signed receipt once it stands. */
export async function artifactsOf(call: Call, task: GatewayTask): Promise<readonly JsonObject[]> {
  if (!isOver(task)) return [];
  const taskId = taskIdOf(task);
  const { port } = call.host;
  const artifacts: JsonObject[] = [];
  if (task["result_ref"] !== undefined) {
    const result = await port.result(call.caller, taskId);
    // Gone after a day: then it is simply not there.
    if (result.ok)
      artifacts.push(
        artifact("result", {
          operation: task["operation"] ?? "",
          destination_data: { trust: UNTRUSTED, value: result.value["result"] ?? null },
        }),
      );
  }
  if (task["receipt_ref"] !== undefined) {
    const receipt = await port.receipt(call.caller, taskId);
    if (receipt.ok) artifacts.push(artifact("receipt", receipt.value));
  }
  return artifacts;
}

function artifact(name: string, data: Json): JsonObject {
  return { artifactId: name, name, parts: [{ data, mediaType: "application/json" }] };
}
