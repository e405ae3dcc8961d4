import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { CONSOLE_DIST, CONSOLE_STYLE_HASHES } from "@countersign/console";
import {
  createLog,
  fromKernel,
  type Gateway,
  type GatewayOptions,
  type LogLevel,
  type NotifySetting,
  type OAuthSetting,
  type OpenIdSetting,
  type PracticeBoard,
  type StartProblem,
  startGateway,
} from "@countersign/gateway";
import type { Application } from "@countersign/profile";
import { SandboxImpossible } from "@countersign/route-browser";
import { err, type Result, type Secret } from "@countersign/wire";
import type { OutsidePlugins } from "../plugins/load.ts";
import type { CallersSetup, IdentitySetup } from "./identity-settings.ts";
import { shippedKernel } from "./shipped.ts";
import { storeProblem } from "./store-problem.ts";

export interface ComposeOptions {
  readonly dataDir: string;
  /** URL of the PostgreSQL database that holds the store; without it, it is in the data directory. */
  readonly database?: Secret<string>;
  readonly issuer: string;
  readonly host?: string;
  readonly listenPort?: number;
  readonly sandbox: "on" | "off";
  readonly logLevel: LogLevel;
  readonly destinations: GatewayOptions["destinations"];
  /** Sites of destinations whose operations the operator bound, beside those that ship. */
  readonly sites?: GatewayOptions["sites"];
  readonly chromium: string;
  /** The switches of a demonstration's practice shop; no real gateway has any. */
  readonly practice?: PracticeBoard;
  /** Who has to decide before a commit, by operation, in place of the catalogue's policy. */
  readonly approvals?: NonNullable<GatewayOptions["approvals"]>;
  readonly notify?: NotifySetting;
  readonly openid?: OpenIdSetting;
  readonly oauth?: OAuthSetting;
  /** Where agents may be told what becomes of their tasks. */
  readonly taskWebhooks?: NonNullable<GatewayOptions["taskWebhooks"]>;
  /** What runs behind this gateway: what it publishes goes on the agent card. */
  readonly application?: Application;
  /** How destinations are told who is calling; without it they are not. */
  readonly identity?: IdentitySetup;
  /** Whether agents show who operates them; without it nobody is asked. */
  readonly callers?: CallersSetup;
  /** Plugins of others, as the host named them. */
  readonly outside?: OutsidePlugins;
  /** Where log lines go; standard error unless told otherwise. */
  readonly writeLog?: (line: string) => void;
}

/** The composition root: which routes, adapters and operations this build of Countersign ships with. */
export async function composeGateway(options: ComposeOptions): Promise<Result<Gateway, string>> {
  const profileRoot = join(options.dataDir, "browsers");
  mkdirSync(profileRoot, { recursive: true, mode: 0o700 });
  const consoleBuilt = existsSync(join(CONSOLE_DIST, "index.html"));
  if (!consoleBuilt) return err("the trusted interface is not built; run: npm run build:console");
  try {
    const kernel = shippedKernel(options, profileRoot, options.outside);
    if (!kernel.ok) return kernel;
    const started = await startGateway({
      ...fromKernel(kernel.value),
      dataDir: options.dataDir,
      issuer: options.issuer,
      ...(options.database === undefined ? {} : { database: options.database }),
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(options.listenPort === undefined ? {} : { listenPort: options.listenPort }),
      destinations: options.destinations,
      ...(options.approvals === undefined ? {} : { approvals: options.approvals }),
      ...(options.notify === undefined ? {} : { notify: options.notify }),
      ...(options.openid === undefined ? {} : { openid: options.openid }),
      ...(options.oauth === undefined ? {} : { oauth: options.oauth }),
      ...(options.taskWebhooks === undefined ? {} : { taskWebhooks: options.taskWebhooks }),
      ...(options.callers === undefined ? {} : { callers: options.callers }),
      console: { directory: CONSOLE_DIST, styleHashes: CONSOLE_STYLE_HASHES },
      ...(options.practice === undefined ? {} : { practice: options.practice }),
      log: createLog(options.logLevel, options.writeLog),
      env: process.env,
    });
    return started.ok ? started : err(startProblem(started.reason));
  } catch (error) {
    if (error instanceof SandboxImpossible) return err(`${error.message} (countersign start --sandbox off)`);
    throw error;
  }
}

function startProblem(problem: StartProblem): string {
  switch (problem.kind) {
    case "bad_issuer":
      return "the issuer must be an origin such as http://localhost:4600, without a path";
    case "store_in_use":
      return problem.held === undefined
        ? "another gateway is using this data directory"
        : `the gateway at ${problem.held.url} (process ${problem.held.pid}) is using this data directory`;
    case "store":
      return storeProblem(problem.problem);
    case "master_key":
      return problem.problem === "not_32_bytes"
        ? "the master key must be 32 bytes as base64url"
        : "master.key can be read by other users of this machine; run: chmod 600 on it";
    case "destinations":
      return problem.problems.map((p) => `destination ${p.destination}: ${p.member}: ${p.rule}`).join("; ");
    case "approvals":
      return `approvals: ${problem.operation} is no operation of the catalogue that commits`;
    case "bindings":
    case "http_entries":
      return problem.problems.join("; ");
    case "no_caller_identity":
      return "callers are to show who operates them, and no plugin of this gateway can judge it";
    case "port_taken":
      return `port ${problem.port} is taken; choose another with --port`;
  }
}
