import type { JsonObject } from "@countersign/wire";
import type { Point } from "../../packages/gateway/src/points.ts";

export interface Settings {
  readonly dataDir: string;
  readonly issuer: string;
  readonly shopOrigin: string;
  /** Holds how far the gateway's clock is ahead, in milliseconds. */
  readonly clockFile: string;
  readonly databaseUrl?: string;
  readonly masterKey?: string;
  readonly listenPort?: number;
}

export type Order =
  /** Stop at the `pass`th time that this moment is reached. */
  | { readonly do: "arm"; readonly point: Point; readonly signal: "SIGKILL" | "SIGSTOP"; readonly pass: number }
  | { readonly do: "disarm" }
  | { readonly do: "look" }
  | { readonly do: "submit"; readonly clientId: string; readonly request: JsonObject }
  | { readonly do: "task"; readonly clientId: string; readonly taskId: string };
