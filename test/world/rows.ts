import { randomUUID } from "node:crypto";
import { practiceShop } from "@countersign/adapter-practice-shop";
import type { RouteKind } from "@countersign/plugin";
import { buildCatalogue, OPERATIONS } from "@countersign/profile";
import { assert, formatInstant, instant, type JsonObject } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Agent } from "../support/agent.ts";
import { until } from "../support/http.ts";
import { filesBelow, leaks, signedParts } from "../support/leaks.ts";
import { Person } from "../support/person.ts";
import { inStore, openWorld, type World, type WorldOptions } from "../support/world.ts";
import type { OpenWorldSite, OperationRow, WorldSite } from "./site.ts";

/** `short`: each operation once, and each trouble once a site. `whole`: each operation through each trouble. */
export type Extent = "short" | "whole";

const MINUTE_MS = 60_000;
/** A grant or a request this short runs out before the agent's own token does. */
const BRIEF_MS = 2 * MINUTE_MS;
const PAST_BRIEF_MS = 2.5 * MINUTE_MS;
const WAIT_MS = 90_000;

/** The terms of a commit as the first route has shown them, by site and operation. */
const TERMS_SEEN = new Map<string, string>();

interface Stage {
  readonly destination: string;
  readonly world: World;
  readonly open: OpenWorldSite;
  readonly person: Person;
  readonly agent: Agent;
  readonly accountRef: string;
  readonly consentRef: string;
  readonly refs: ReadonlyMap<string, string>;
}

interface Row extends OperationRow {
  readonly operation: string;
  readonly effect: "read" | "commit";
}

/** Every row of one site by one route, against a gateway that is as in production. */
export function siteRows(
  site: WorldSite,
  route: RouteKind,
  extent: Extent,
  options: { readonly world: WorldOptions; readonly testMs: number },
): void {
  const rows = rowsOf(site, route);
  const some = extent === "whole" ? rows : oneOfEach(rows);
  const commits = some.filter(({ effect }) => effect === "commit");

  describe(`${site.id} by ${route}`, { timeout: options.testMs }, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage(site, route, options.world);
    }, options.testMs);
    afterAll(async () => {
      await stage?.world.close();
      await stage?.open.close();
    });

    it.each(rows)("MAP-5 MAP-6 $operation", async (row) => {
      const before = stage.open.effects(row.operation);
      const { terms, result } = await through(stage, row);
      expect(result).toMatchObject(row.result(stage.open));
      // The other routes have run before this one, or will compare with it: what the person sees is the same by each.
      const named = `${site.id} ${row.operation}`;
      expect(terms).toEqual(TERMS_SEEN.get(named) ?? terms);
      TERMS_SEEN.set(named, terms);
      expect(stage.open.effects(row.operation) - before).toBe(row.effect === "commit" ? 1 : 0);
    });

    it("REQ-6 discovery lists just what the routes can do, and a gap names it", async () => {
      // A gateway without browsers has the API alone, whatever the adapter could do with one.
      const reachable = site.site.entries.filter((entry) => route === "browser" || entry.route === "http");
      const offered = reachable.flatMap((entry) =>
        entry.operations.map(({ operation }) => ({ operation, route: entry.route })),
      );
      const { operations } = (await stage.agent.get(`/v1/accounts/${stage.accountRef}/capabilities`)).json;
      const listed = (operations as { operation: string; routes: string[] }[]).flatMap(({ operation, routes }) =>
        routes.map((each) => ({ operation, route: each })),
      );
      expect(inOrder(listed)).toEqual(inOrder(offered));
      const missing = OPERATIONS.find(({ id }) => !offered.some(({ operation }) => operation === id));
      assert(missing !== undefined, "no site offers the whole catalogue");
      const ids = [...new Set(offered.map(({ operation }) => operation))].sort().join(", ");
      const gap = { reason: "capability_gap", problems: [{ rule: `one of those offered here: ${ids}` }] };
      const parameters = () => missing.example.parameters as JsonObject;
      const task = taskRequest(stage, { operation: missing.id, parameters });
      const asked = { destination: stage.destination, operations: [missing.id], purpose: "x", expires_at: soon(stage) };
      for (const answer of [await stage.agent.post("/v1/tasks", task), await stage.agent.post("/v1/consents", asked)]) {
        expect(answer.status, answer.text).toBe(422);
        expect(answer.json).toMatchObject(gap);
      }
    });

    it.each(some)("MFA-1 MFA-2 $operation at the sign-in wall, with both factors", async (row) => {
      const before = stage.open.control.counters();
      stage.open.control.endSession();
      const taskId = await submit(stage, row);
      const waiting = await stage.agent.reaches(taskId, "authentication_required");
      expect(waiting).toMatchObject({ state: "authentication_required" });
      expect(JSON.stringify(waiting)).not.toContain(stage.open.origin.replace("http://", ""));
      await stage.open.signIn(stage.person, String(waiting["continuation_ref"]), route);
      const after = stage.open.control.counters();
      expect(after.signIns - before.signIns).toBe(1);
      if (route === "http") expect(after.signInFailures - before.signInFailures).toBe(1);
      await settle(stage, row, taskId);
    });

    it.each(commits.filter(({ termsChange }) => termsChange !== "no"))(
      "APR-4 $operation whose terms changed asks again, and the old yes does nothing",
      async (row) => {
        const before = stage.open.effects(row.operation);
        const taskId = await submit(stage, row);
        const first = await approvalOf(stage, taskId);
        stage.open.control.dearer(row.operation);
        try {
          expect((await stage.person.decide(first, "approved")).status).toBe(200);
          const second = await until(
            () => approvalOf(stage, taskId),
            (view) => view["action_digest"] !== first["action_digest"],
            "a new decision to be asked for",
          );
          expect(stage.open.effects(row.operation)).toBe(before);
          await stage.person.decide(second, "approved");
          await settled(stage, taskId, "succeeded");
        } finally {
          stage.open.control.asBefore(row.operation);
        }
        expect(stage.open.effects(row.operation) - before).toBe(1);
      },
    );

    it.each(commits)("PUB-6 STA-3 $operation whose answer is lost is found again: exactly one effect", async (row) => {
      const before = { submits: stage.open.control.counters().submits, effects: stage.open.effects(row.operation) };
      const taskId = await submit(stage, row);
      const view = await approvalOf(stage, taskId);
      stage.open.control.loseAnswer();
      await stage.person.decide(view, "approved");
      await settled(stage, taskId, "succeeded");
      expect(stage.open.effects(row.operation) - before.effects).toBe(1);
      expect(stage.open.control.counters().submits - before.submits).toBe(1);
    });

    it.each(some)("PUB-2 CON-1 $operation after the grant was revoked", async (row) => {
      const before = stage.open.effects(row.operation);
      const consentRef = await grant(stage, route, row.operation);
      const early = row.effect === "commit" ? await submit(stage, row, { consent_ref: consentRef }) : undefined;
      if (early !== undefined) await approvalOf(stage, early);
      await stage.person.post(`/consents/${consentRef}/revoke`);
      if (early !== undefined) expect(await settled(stage, early, "denied")).toMatchObject({ reason: "grant_revoked" });
      const late = await submit(stage, row, { consent_ref: consentRef });
      expect(await settled(stage, late, "denied")).toMatchObject({ reason: "grant_revoked" });
      expect(stage.open.effects(row.operation)).toBe(before);
    });

    it("REQ-5 APR-6 what nobody decided in time has expired, and so has a grant", async () => {
      const agent = await Agent.join(stage.world, stage.person, `Brief agent of ${site.id} by ${route}`);
      const brief: Stage = { ...stage, agent };
      const soon = formatInstant(instant(Date.now() + stage.world.offset() + BRIEF_MS));
      const before = some.map(({ operation }) => stage.open.effects(operation));
      const long = await grant(brief, route, ...some.map(({ operation }) => operation));
      const short = await grantUntil(brief, route, soon, ...some.map(({ operation }) => operation));
      const waiting: string[] = [];
      for (const row of commits) {
        const taskId = await submit(brief, row, { consent_ref: long, expires_at: soon });
        await approvalOf(brief, taskId);
        waiting.push(taskId);
      }
      stage.world.advance(PAST_BRIEF_MS);
      for (const taskId of waiting) await settled(brief, taskId, "expired");
      for (const row of some) {
        const taskId = await submit(brief, row, { consent_ref: short });
        expect(await settled(brief, taskId, "denied")).toMatchObject({ reason: "grant_expired" });
      }
      expect(some.map(({ operation }) => stage.open.effects(operation))).toEqual(before);
    });

    it("AUT-3 AUT-4 nothing that the person typed or the site gave stands outside the vault, at debug level", () => {
      const { world, open } = stage;
      expect(open.control.counters().foreignTokens).toBe(0);
      const logged = world.logLines.join("\n");
      const places = new Map<string, string | Uint8Array>([
        ["the log", logged],
        ["what is signed in the log", signedParts(logged).join("\n")],
        ...filesBelow(world.dataDir),
      ]);
      expect(leaks(open.secrets(), places)).toEqual([]);
      // The search itself finds what is there.
      expect(leaks({ account: stage.accountRef }, places)).not.toEqual([]);
    });
  });
}

function rowsOf(site: WorldSite, route: RouteKind): readonly Row[] {
  const entry = site.site.entries.find((each) => each.route === route);
  assert(entry !== undefined, `${site.id} has an entry for ${route}`);
  const catalogue = buildCatalogue(OPERATIONS);
  return entry.operations.map(({ operation, effect }) => {
    const row = site.rows[operation];
    assert(row !== undefined, `${site.id} has no row for ${operation}`);
    assert(catalogue.get(operation) !== undefined, `${operation} is in the catalogue`);
    return { ...row, operation, effect };
  });
}

/** One read and one commit stand for the others. */
function oneOfEach(rows: readonly Row[]): readonly Row[] {
  return (["read", "commit"] as const).flatMap((effect) => {
    const first = rows.find((row) => row.effect === effect);
    return first === undefined ? [] : [first];
  });
}

async function openStage(site: WorldSite, route: RouteKind, options: WorldOptions): Promise<Stage> {
  const open = await site.open();
  const destination = `table-${site.id}`;
  const world = await openWorld({
    ...options,
    // The world of the tests brings the shop's adapter by itself, for a shop of its own that no row touches.
    sites: site.site === practiceShop ? [] : [site.site],
    destinations: [
      {
        id: destination,
        site: site.id,
        origin: open.origin,
        ...(open.alsoOrigins === undefined ? {} : { alsoOrigins: open.alsoOrigins }),
      },
    ],
    // What a person without a passkey can decide; the policies have their own tests.
    approvals: Object.fromEntries(
      OPERATIONS.filter((each) => each.effect === "commit").map((each) => [each.id, "session"]),
    ),
    logLevel: "debug",
  });
  const person = await Person.signIn(world);
  const agent = await Agent.join(world, person);
  const begun = await person.post("/connections", { destination, route });
  assert(begun.status < 300, `the connection begins: ${begun.text}`);
  const accountRef = String(begun.json["account_ref"]);
  await open.signIn(person, String(begun.json["continuation_ref"]), route);
  for (const entered of open.entered ?? []) {
    const kept = await person.post(`/accounts/${accountRef}/details`, entered);
    assert(kept.status < 300, `the reference is kept: ${kept.text}`);
  }
  const stage = {
    destination,
    world,
    open,
    person,
    agent,
    accountRef,
    consentRef: "",
    refs: new Map<string, string>(),
  };
  const consentRef = await grant(stage, route, ...rowsOf(site, route).map(({ operation }) => operation));
  const { references } = (await agent.get(`/v1/accounts/${accountRef}/capabilities`)).json;
  const listed = (references ?? []) as readonly { readonly ref: string; readonly label: string }[];
  return { ...stage, consentRef, refs: new Map(listed.map(({ label, ref }) => [label, ref])) };
}

function grant(stage: Stage, route: RouteKind, ...operations: readonly string[]): Promise<string> {
  const day = formatInstant(instant(Date.now() + stage.world.offset() + 24 * 60 * MINUTE_MS));
  return grantUntil(stage, route, day, ...operations);
}

async function grantUntil(
  stage: Stage,
  route: RouteKind,
  expiresAt: string,
  ...operations: readonly string[]
): Promise<string> {
  const { destination } = stage;
  const asked = { destination, operations: [...operations], routes: [route], expires_at: expiresAt };
  const consentRef = await stage.agent.askGrant(asked);
  const given = await stage.person.grant(consentRef, stage.accountRef);
  assert(given.status === 200, `the grant is given: ${given.text}`);
  return consentRef;
}

async function submit(stage: Stage, row: Row, change: JsonObject = {}): Promise<string> {
  stage.open.before?.(row.operation);
  const answer = await stage.agent.post("/v1/tasks", { ...taskRequest(stage, row), ...change });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.json["task_id"]);
}

function taskRequest(stage: Stage, row: Pick<Row, "operation" | "parameters">): JsonObject {
  return {
    profile: "sophtron.agentic-web-execution/0.1",
    request_id: `req_${randomUUID()}`,
    idempotency_key: `key_${randomUUID()}`,
    account_ref: stage.accountRef,
    consent_ref: stage.consentRef,
    operation: row.operation,
    parameters: row.parameters(stage.refs),
    expires_at: soon(stage),
  };
}

function soon(stage: Stage): string {
  return formatInstant(instant(Date.now() + stage.world.offset() + 60 * MINUTE_MS));
}

function inOrder(rows: readonly { readonly operation: string; readonly route: string }[]): readonly string[] {
  return rows.map(({ operation, route }) => `${operation} by ${route}`).sort();
}

/** All the way: a read by itself, a commit by the person's yes to the exact terms. */
async function through(stage: Stage, row: Row): Promise<{ readonly terms: string; readonly result: unknown }> {
  const taskId = await submit(stage, row);
  const view = row.effect === "commit" ? await approvalOf(stage, taskId) : undefined;
  if (view !== undefined) await stage.person.decide(view, "approved");
  await settled(stage, taskId, "succeeded");
  const { result } = (await stage.agent.get(`/v1/tasks/${taskId}/result`)).json;
  return { terms: comparable(stage, view?.["action"]), result };
}

/** The terms of a record, without what names this one opening of the site: its port, and the account's own rows. */
function comparable(stage: Stage, action: unknown): string {
  const terms = typeof action === "object" && action !== null && "terms" in action ? action.terms : null;
  const named = [
    [new URL(stage.open.origin).host, "the site"] as const,
    ...[...stage.refs].map(([label, ref]) => [ref, label] as const),
  ];
  return named.reduce((text, [what, name]) => text.replaceAll(what, name), JSON.stringify(terms));
}

async function settle(stage: Stage, row: Row, taskId: string): Promise<void> {
  if (row.effect === "commit") await stage.person.decide(await approvalOf(stage, taskId), "approved");
  await settled(stage, taskId, "succeeded");
}

/** A task that has come to its end, in that state. */
async function settled(stage: Stage, taskId: string, state: string) {
  const ended = ["succeeded", "denied", "expired", "failed", "cancelled"];
  const now = await waitFor(stage, taskId, (row) => ended.includes(row.state), state);
  expect(now, lastWords(stage)).toMatchObject({ state });
  return now;
}

async function approvalOf(stage: Stage, taskId: string): Promise<JsonObject> {
  await waitFor(stage, taskId, (row) => row.state === "approval_required", "a decision");
  return stage.person.approvalFor(taskId);
}

interface TaskNow {
  readonly state: string;
  readonly reason: string | null;
}

/** The task as the store has it: the agent's own token may have run out with the clock. */
async function waitFor(stage: Stage, taskId: string, fits: (now: TaskNow) => boolean, what: string): Promise<TaskNow> {
  const look = () =>
    inStore(stage.world.gateway, (db) =>
      db.selectFrom("task").select(["state", "reason"]).where("task_id", "=", taskId).executeTakeFirstOrThrow(),
    );
  try {
    return await until(look, fits, `${taskId}: ${what}`, WAIT_MS);
  } catch (cause) {
    throw new Error(`${String(cause)}\n${lastWords(stage)}`, { cause });
  }
}

function lastWords({ world }: Stage): string {
  return world.logLines.slice(-12).join("\n");
}
