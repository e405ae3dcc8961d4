import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { Pool } from "pg";
import { databasePort, type Row } from "./cluster.ts";
import { keeperAnswerMs } from "./limits.ts";
import { MIGRATED, ROLE, SERVER_ENV, type ServerAnswer, SUPERUSER, testUrl } from "./test-server.ts";

/** A database of a test's own. */
export interface TestDatabase {
  readonly name: string;
  /** As a gateway connects; there is no password in it. */
  readonly url: string;
  /** The URL for another role, such as the superuser's. */
  urlFor(role: string): string;
  /** Asks as the superuser, for whom no policy holds. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  drop(): Promise<void>;
}

/** With nothing in it, or with this build's tables. */
export type Contents = "empty" | "migrated";

/**
 * Makes a database on the run's PostgreSQL, which the first call starts.
 * @throws when PostgreSQL is not installed, with how to install it: a proof that cannot run has failed.
 */
export async function freshDatabase(contents: Contents = "empty"): Promise<TestDatabase> {
  const host = await askServer();
  const name = `t_${randomBytes(8).toString("hex")}`;
  const as = (database: string): Pool => {
    const pool = new Pool({ host, port: databasePort, user: SUPERUSER, database, max: 2, allowExitOnIdle: true });
    pool.on("error", () => {});
    return pool;
  };
  const keeper = as(SUPERUSER);
  const template = contents === "migrated" ? MIGRATED : "template1";
  await keeper.query(`create database ${name} owner ${ROLE} template ${template}`);
  const inside = as(name);
  const urlFor = (role: string): string => testUrl(host, role, name);
  return {
    name,
    url: urlFor(ROLE),
    urlFor,
    query: async (sql, values = []) => (await inside.query(sql, [...values])).rows as readonly Row[],
    async drop() {
      await inside.end();
      await keeper.query(`drop database if exists ${name} with (force)`);
      await keeper.end();
    },
  };
}

export const superuser = SUPERUSER;

function askServer(): Promise<string> {
  const path = process.env[SERVER_ENV];
  if (path === undefined) return Promise.reject(new Error(`${SERVER_ENV} is not set: run the tests with vitest`));
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(path);
    socket.setTimeout(keeperAnswerMs, () => socket.destroy(new Error("the test server did not answer")));
    socket.on("data", (part: Buffer) => {
      text += part.toString("utf8");
    });
    socket.on("error", reject);
    socket.on("end", () => {
      const answer = JSON.parse(text) as ServerAnswer;
      if ("problem" in answer) reject(new Error(answer.problem));
      else resolve(answer.host);
    });
  });
}
