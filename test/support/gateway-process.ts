import { practiceShop } from "@countersign/adapter-practice-shop";
import { createEgress, createLog, type Egress, type Guard, startGateway } from "@countersign/gateway";
import { OPERATIONS } from "@countersign/profile";
import { createHttpRoute } from "@countersign/route-http";
import { instant, secret } from "@countersign/wire";

// A gateway in a process of its own, so that a test can kill it for real. `crash` makes it kill itself at the boundary:
// the submission row is written, and the request has not left (`before_send`) or has been answered (`after_send`); or
// where a decision is about to be stored (`before_decision`) or has just been (`after_decision`).
interface Settings {
  readonly dataDir: string;
  /** The PostgreSQL database, when the store is not in the data directory. */
  readonly database?: string;
  readonly issuer: string;
  readonly listenPort?: number;
  readonly shop: string;
  readonly crash: "never" | "before_send" | "after_send" | "before_decision" | "after_decision";
  /** Mail goes to this port of this machine. */
  readonly mailPort?: number;
  /** Kills itself at this named moment. */
  readonly dieAt?: string;
  /** Stops itself (SIGSTOP) when it first comes to this named moment. */
  readonly pauseAt?: string;
  /** Serves the built trusted interface. */
  readonly console?: { readonly directory: string; readonly styleHashes: readonly string[] };
  /** How far this process's clock is ahead of the machine's. */
  readonly aheadMs?: number;
}

const settings = JSON.parse(process.argv[2] ?? "{}") as Settings;
const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
};

const egress = (guard: Guard): Egress => {
  const real = createEgress(guard);
  if (settings.crash !== "before_send" && settings.crash !== "after_send") return real;
  return {
    ...real,
    async sendOnce(request, mayLeave) {
      if (settings.crash === "before_send") die();
      await real.sendOnce(request, mayLeave);
      return die();
    },
  };
};

let paused = false;
const pause = (): void => {
  if (paused) return;
  paused = true;
  process.kill(process.pid, "SIGSTOP");
};

const started = await startGateway({
  dataDir: settings.dataDir,
  ...(settings.database === undefined ? {} : { database: secret(settings.database) }),
  ...(settings.listenPort === undefined ? {} : { listenPort: settings.listenPort }),
  issuer: settings.issuer,
  destinations: [{ id: "practice-shop", site: "practice-shop", origin: settings.shop }],
  sites: [practiceShop],
  operations: OPERATIONS,
  approvals: { "retail.order.submit": "session" },
  routes: () => [createHttpRoute()],
  egress,
  reach(point) {
    if (point === settings.dieAt) die();
    if (point === settings.pauseAt) pause();
    if (settings.crash === "before_decision" && point === "decision.before_commit") die();
    if (settings.crash === "after_decision" && point === "decision.committed") die();
  },
  ...(settings.console === undefined ? {} : { console: settings.console }),
  ...(settings.mailPort === undefined
    ? {}
    : { notify: { email: { host: "localhost", port: settings.mailPort, tls: "none", from: "gateway@home.example" } } }),
  log: createLog("warn"),
  env: process.env,
  now: () => instant(Date.now() + (settings.aheadMs ?? 0)),
});
if (!started.ok) {
  console.log(JSON.stringify({ problem: started.reason.kind }));
  process.exit(1);
}
const link = await started.value.signInLink();
console.log(
  JSON.stringify({ link: link.reveal(), pin: started.value.core.keys.pin, rssBytes: process.memoryUsage().rss }),
);
