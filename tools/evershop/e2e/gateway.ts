import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gatewayEndsMs, gatewayReadyMs } from "./limits.ts";

const command = fileURLToPath(new URL("../../../packages/countersign/src/main.ts", import.meta.url));

/** The gateway as people run it, `countersign start`, in a process that can be killed for real. */
export interface GatewayProcess {
  readonly issuer: string;
  readonly dataDir: string;
  /** @returns the one-time link that signs the person in. */
  start(): Promise<string>;
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>;
  /** As Ctrl+C does. */
  stop(): Promise<void>;
}

export interface At {
  readonly id: string;
  readonly site: string;
  readonly origin: string;
}

export function gatewayOn(dataDir: string, port: number, destination: At): GatewayProcess {
  const issuer = `http://localhost:${port}`;
  const settings = {
    issuer,
    sandbox: process.getuid?.() === 0 ? "off" : "on",
    logLevel: "warn",
    approvals: { "retail.order.submit": "session" },
    destinations: [destination],
  };
  writeFileSync(join(dataDir, "countersign.json"), JSON.stringify(settings));
  let running: ChildProcess | undefined;

  const end = async (signal: "SIGKILL" | "SIGINT") => {
    const ending = running;
    running = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => ending.kill("SIGKILL"), gatewayEndsMs);
      ending.once("exit", () => {
        clearTimeout(late);
        resolve();
      });
      ending.kill(signal);
    });
  };

  return {
    issuer,
    dataDir,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGINT"),
    async start() {
      const child = spawn(process.execPath, [command, "start", "--data", dataDir], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      running = child;
      return new Promise<string>((resolve, reject) => {
        let said = "";
        const late = setTimeout(() => reject(new Error("the gateway does not start")), gatewayReadyMs);
        child.once("exit", (code) => reject(new Error(`the gateway ended with ${code}`)));
        child.stdout.on("data", (part: Buffer) => {
          said += part.toString("utf8");
          const link = /(http\S+\/link#\S+)\n/.exec(said)?.[1];
          if (link === undefined) return;
          clearTimeout(late);
          resolve(link);
        });
      });
    },
  };
}
