import type { Operator } from "@countersign/conformance";
import type { AdminCommand } from "@countersign/gateway/admin";
import type { JsonObject } from "@countersign/wire";
import { askGateway, notRunning } from "../setup/admin-client.ts";

/** The operator of the gateway that runs on a data directory, through its socket. */
export function socketOperator(dataDir: string): Operator {
  const ask = async (command: AdminCommand): Promise<JsonObject> => {
    const answer = await askGateway(dataDir, command);
    if (answer.ok) return answer.value;
    throw new OperatorRefused(
      answer.reason.kind === "not_running" ? notRunning(dataDir) : `the gateway refused: ${answer.reason.reason}`,
    );
  };
  return {
    addHolder: async (name) => ({ personId: text(await ask({ command: "person_add", name }), "person_id") }),
    async link(personId) {
      const url = new URL(text(await ask({ command: "link", person_id: personId }), "url"));
      return url.hash.slice(1);
    },
    addAgent: async (personId, name) => ({
      clientId: text(await ask({ command: "agent_add", name, person_id: personId }), "client_id"),
    }),
    async credential(clientId) {
      const answer = await ask({ command: "agent_credential", client_id: clientId });
      return {
        clientId,
        refreshToken: text(answer, "refresh_token"),
        tokenEndpoint: text(answer, "token_endpoint"),
        resource: text(answer, "resource"),
      };
    },
  };
}

/** The operator's socket did not do what it was asked; the message is a sentence for the terminal. */
export class OperatorRefused extends Error {
  override readonly name = "OperatorRefused";
}

function text(answer: JsonObject, member: string): string {
  const value = answer[member];
  if (typeof value !== "string") throw new OperatorRefused(`the gateway's answer has no ${member}`);
  return value;
}
