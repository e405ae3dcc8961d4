import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PracticeShop, startPracticeShop } from "@countersign/practice";
import { assert, isJsonObject, type JsonObject, parseJson, toBase64Url } from "@countersign/wire";
import { freshDatabase, type TestDatabase } from "../../tools/postgres/test-database.ts";
import { freePort } from "./world.ts";

const SCRIPT = fileURLToPath(new URL("./gateway-process.ts", import.meta.url));

/** One gateway of several, in a process and with a data directory of its own. */
export interface Member {
  readonly port: number;
  readonly dataDir: string;
  readonly ready: JsonObject;
  readonly process: ChildProcess;
  kill(): Promise<void>;
}

export interface MemberOptions {
  readonly pauseAt?: string;
  readonly dieAt?: string;
  readonly aheadMs?: number;
  readonly mailPort?: number;
}

/** Several gateways on one PostgreSQL database, behind one address that the test points at one of them. */
export interface Several {
  readonly shop: PracticeShop;
  readonly issuer: string;
  readonly database: TestDatabase;
  start(options?: MemberOptions): Promise<Member>;
  /** Whom the address leads to from now on. */
  lead(member: Member): void;
  close(): Promise<void>;
}

export async function openSeveral(): Promise<Several> {
  const shop = await startPracticeShop();
  const database = await freshDatabase("migrated");
  const door = await openDoor();
  const issuer = `http://localhost:${door.port}`;
  const members: Member[] = [];
  const masterKey = toBase64Url(randomBytes(32));
  return {
    shop,
    issuer,
    database,
    async start(options = {}) {
      const dataDir = mkdtempSync(join(tmpdir(), "countersign-several-"));
      const port = await freePort();
      const settings = { dataDir, database: database.url, issuer, listenPort: port, shop: shop.origin, crash: "never" };
      const child = spawn(process.execPath, [SCRIPT, JSON.stringify({ ...settings, ...options })], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, COUNTERSIGN_MASTER_KEY: masterKey },
      });
      const ready = await firstLine(child);
      const member = { port, dataDir, ready, process: child, kill: () => kill(child) };
      members.push(member);
      door.lead(port);
      return member;
    },
    lead: (member) => door.lead(member.port),
    async close() {
      for (const member of members) {
        await member.kill();
        rmSync(member.dataDir, { recursive: true, force: true });
      }
      door.close();
      await shop.close();
      await database.drop();
    },
  };
}

async function firstLine(child: ChildProcess): Promise<JsonObject> {
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (part: Buffer) => {
      text += part.toString("utf8");
      if (text.includes("\n")) resolve(text);
    });
    child.once("exit", () => reject(new Error(`the gateway ended: ${text}`)));
  });
  const parsed = parseJson(line.trim());
  assert(parsed.ok && isJsonObject(parsed.value), "one line of JSON");
  return parsed.value;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGKILL");
  });
}

/** What stands in front of gateways: connections pass through it byte by byte. */
async function openDoor() {
  let target = 0;
  const sockets = new Set<Socket>();
  const server = createServer((inward) => {
    const outward = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => sockets.delete(one));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(address !== null && typeof address === "object", "a listening server has an address");
  return {
    port: address.port,
    lead(port: number) {
      target = port;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
