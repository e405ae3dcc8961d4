import http from "node:http";
import { join } from "node:path";
import { ADMIN_SOCKET, type AdminCommand } from "@countersign/gateway/admin";
import { err, isJsonObject, type JsonObject, ok, parseJson, type Result } from "@countersign/wire";

export type AdminFailure = { readonly kind: "not_running" } | { readonly kind: "refused"; readonly reason: string };

/** Sends one command to the gateway that runs on this data directory, through its socket. */
export async function askGateway(dataDir: string, command: AdminCommand): Promise<Result<JsonObject, AdminFailure>> {
  return new Promise((resolve) => {
    const request = http.request({ socketPath: join(dataDir, ADMIN_SOCKET), method: "POST", path: "/" }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const body = parseJson(Buffer.concat(parts));
        const value = body.ok && isJsonObject(body.value) ? body.value : {};
        if (response.statusCode === 200) resolve(ok(value));
        else
          resolve(err({ kind: "refused", reason: typeof value["reason"] === "string" ? value["reason"] : "unknown" }));
      });
    });
    request.on("error", () => resolve(err({ kind: "not_running" })));
    request.end(JSON.stringify(command));
  });
}

export function notRunning(dataDir: string): string {
  return `no gateway runs on ${dataDir}; start one with: countersign start (or name its directory with --data)`;
}
