import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, secret } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { NOTICE_TRIES_MAX, NOTICES_PER_HOUR_MAX } from "../packages/gateway/src/limits.ts";
import { orderRequest } from "./support/agent.ts";
import { send, until } from "./support/http.ts";
import { type Mail, type MailServer, openMailServer, parseMail } from "./support/mail.ts";
import { Person } from "./support/person.ts";
import { openReceiver, type Receiver, verifies } from "./support/webhook.ts";
import { inStore, readyWorld } from "./support/world.ts";

const MINUTE = 60_000;
const HOLDER = "holder@home.example";
const SECRET = randomBytes(32);
type Ready = Awaited<ReturnType<typeof readyWorld>>;
let mail: MailServer;
let hooks: Receiver;
let ready: Ready;

beforeEach(async () => {
  [mail, hooks] = [await openMailServer(), await openReceiver()];
  ready = await readyWorld({
    notify: {
      email: { host: "localhost", port: mail.port, tls: "none", from: "gateway@home.example" },
      webhook: { url: hooks.url, key: secret(new Uint8Array(SECRET)) },
      outbox: true,
    },
  });
  const set = await askGateway(ready.world.dataDir, { command: "contact_set", address: HOLDER });
  assert(set.ok, "the operator sets the address");
  // What the setting up made the person hear of.
  await settled();
  mail.mails.length = 0;
  hooks.delivered.length = 0;
});
afterEach(async () => {
  await ready.world.close();
  await mail.close();
  await hooks.close();
});

const deliveries = () => inStore(ready.world.gateway, (db) => db.selectFrom("notice_delivery").selectAll().execute());
const settled = () =>
  until(deliveries, (rows) => rows.every((row) => row.state !== "waiting"), "every notice to be settled");
const mailed = (subject: RegExp): Promise<Mail> =>
  until(
    async () => mail.mails.find((m) => subject.test(m.headers.get("subject") ?? "")),
    (found) => found !== undefined,
    `a mail ${subject}`,
  ).then((found) => {
    assert(found !== undefined, "found");
    return found;
  });

async function order(change = {}): Promise<string> {
  const submitted = await ready.agent.post("/v1/tasks", orderRequest(ready, change));
  const taskId = String(submitted.json["task_id"]);
  await ready.agent.reaches(taskId, "approval_required");
  return taskId;
}
const consents = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1)
    await ready.agent.askGrant({ destination: "practice-shop", operations: ["retail.orders.list"] });
};

describe("a decision that waits", () => {
  it("is told by mail, by webhook and as a file, once each", async () => {
    const taskId = await order();
    const got = await mailed(/decision/);
    await settled();
    const view = await ready.person.approvalFor(taskId);
    const link = `${ready.world.issuer}/approvals/${String(view["action_id"])}`;
    expect(got.to).toEqual([HOLDER]);
    expect(got.headers.get("subject")).toBe("Your decision is needed: Place an order, 49.90 EUR");
    expect(got.text).toContain(link);
    expect(got.text).toMatch(/> Total charged: 49\.90 EUR/);
    expect(got.text).not.toMatch(/Sample Street|Main Street/);
    expect(mail.mails).toHaveLength(1);
    expect(hooks.delivered).toHaveLength(1);
    const [hook] = hooks.delivered;
    assert(hook !== undefined, "one");
    const seconds = Math.floor((Date.now() + ready.world.offset()) / 1000);
    expect(verifies(`whsec_${SECRET.toString("base64")}`, hook, seconds)).toBe(true);
    expect(JSON.parse(hook.body)).toMatchObject({ type: "notice.approval", data: { url: link } });
    const files = readdirSync(join(ready.world.dataDir, "outbox")).filter((name) => name.includes("-approval-"));
    expect(files).toHaveLength(1);
    const eml = parseMail(readFileSync(join(ready.world.dataDir, "outbox", files[0] ?? ""), "latin1"));
    expect(eml.headers.get("subject")).toBe(got.headers.get("subject"));
  });

  it("U38 U40 its link has no authority: twenty bots fetch it and it stays undecided; forwarded, it is unknown", async () => {
    const taskId = await order();
    const got = await mailed(/decision/);
    const path = /\/approvals\/\S+/.exec(got.text)?.[0] ?? "";
    const agents = ["Slackbot-LinkExpanding 1.0", "facebookexternalhit/1.1", "Mozilla/5.0 SafeLinks", "curl/8"];
    for (let i = 0; i < 20; i += 1) {
      const headers = { "user-agent": agents[i % agents.length] ?? "" };
      for (const method of ["GET", "HEAD"])
        for (const target of [path, `/trusted/v1${path}`]) {
          const reply = await send(ready.world.issuer, method, target, { headers });
          expect([200, 401, 404]).toContain(reply.status);
          expect(reply.headers["set-cookie"]).toBeUndefined();
        }
    }
    const view = await ready.person.approvalFor(taskId);
    expect(view["status"]).toBe("pending");
    const added = await askGateway(ready.world.dataDir, { command: "person_add", name: "Somebody else" });
    assert(added.ok, "another person");
    const link = await askGateway(ready.world.dataDir, {
      command: "link",
      person_id: String(added.value["person_id"]),
    });
    assert(link.ok, "a link for them");
    const other = await Person.withLink(ready.world, String(link.value["url"]).split("#")[1] ?? "");
    const unknown = await other.get("/approvals/act_unknownunknownunknownunknow");
    const foreign = await other.get(path);
    expect(foreign.text).toBe(unknown.text);
    expect(foreign.status).toBe(404);
    expect({ ...foreign.headers, date: "" }).toEqual({ ...unknown.headers, date: "" });
    expect((await ready.person.decide(view, "approved")).status).toBe(200);
  });

  it("is not told any more once it is decided", async () => {
    mail.answer = () => Object.assign(new Error("busy"), { responseCode: 451 });
    const taskId = await order();
    await until(deliveries, (rows) => rows.some((r) => r.channel === "email" && r.problem !== null), "a failed try");
    await ready.person.decide(await ready.person.approvalFor(taskId), "denied");
    mail.answer = undefined;
    ready.world.advance(2 * MINUTE);
    await settled();
    expect(mail.mails).toHaveLength(0);
  });

  it("is not told any more of a record that another one has replaced", async () => {
    mail.answer = () => Object.assign(new Error("busy"), { responseCode: 451 });
    await order();
    await until(deliveries, (rows) => rows.some((r) => r.channel === "email" && r.problem !== null), "a failed try");
    await inStore(ready.world.gateway, (db) => db.updateTable("action").set({ status: "superseded" }).execute());
    mail.answer = undefined;
    ready.world.advance(2 * MINUTE);
    await settled();
    expect(mail.mails).toHaveLength(0);
  });

  it("is not told once it has run out, and the inbox says that messages did not arrive", async () => {
    mail.answer = () => Object.assign(new Error("busy"), { responseCode: 451 });
    await order();
    await until(deliveries, (rows) => rows.some((r) => r.channel === "email" && r.problem !== null), "a failed try");
    ready.world.advance(20 * MINUTE);
    const rows = await settled();
    expect(rows.find((r) => r.channel === "email" && r.state === "gave_up")).toMatchObject({ problem: "too_late" });
    const inbox = await ready.person.get("/inbox");
    expect(inbox.json["items"]).toContainEqual(expect.objectContaining({ kind: "unreached", title: "email" }));
    mail.answer = undefined;
    assert((await askGateway(ready.world.dataDir, { command: "agent_add", name: "Another" })).ok, "asked for");
    await mailed(/new agent/);
    await settled();
    expect((await ready.person.get("/inbox")).text).not.toContain("unreached");
  });
});

describe("tries", () => {
  it("come at growing intervals, end after a named number, and the log says so without an address", async () => {
    mail.answer = () => Object.assign(new Error(`no ${HOLDER}`), { responseCode: 451 });
    await consents(1);
    const row = async () => (await deliveries()).find((r) => r.channel === "email" && r.settled_at === null);
    const waits: number[] = [];
    for (let tries = 1; tries < NOTICE_TRIES_MAX; tries += 1) {
      const now = await until(row, (r) => r?.tries === tries && r.lease_until === null, `try ${tries}`);
      const clock = Date.now() + ready.world.offset();
      waits.push((now?.due_at ?? 0) - clock);
      ready.world.advance(Math.max(0, (now?.due_at ?? 0) - clock) + 1_000);
    }
    const rows = await settled();
    expect(rows.find((r) => r.state === "gave_up")).toMatchObject({ tries: NOTICE_TRIES_MAX, channel: "email" });
    for (let i = 1; i < 5; i += 1) expect(waits[i]).toBeGreaterThan((waits[i - 1] ?? 0) * 2);
    const lines = ready.world.logLines.filter((line) => line.includes("notice."));
    expect(lines.some((line) => line.includes("notice.gave_up"))).toBe(true);
    expect(ready.world.logLines.join("")).not.toContain(HOLDER);
    expect(hooks.delivered).toHaveLength(1);
  });
});

describe("an agent that asks for much", () => {
  it("gets one message for many, and cannot keep a warning away", async () => {
    await consents(NOTICES_PER_HOUR_MAX + 15);
    await until(
      async () => mail.mails.length,
      (n) => n > NOTICES_PER_HOUR_MAX,
      "the message for many",
    );
    await until(deliveries, (rows) => rows.every((r) => r.lease_until === null), "nothing on its way");
    expect(mail.mails).toHaveLength(NOTICES_PER_HOUR_MAX + 1);
    expect(mail.mails.at(-1)?.headers.get("subject")).toMatch(/^\d+ things wait for you$/);
    await consents(3);
    const changed = await askGateway(ready.world.dataDir, { command: "contact_set", address: "new@home.example" });
    assert(changed.ok, "changed");
    expect((await mailed(/address for messages was changed/)).to).toEqual([HOLDER]);
    expect(mail.mails).toHaveLength(NOTICES_PER_HOUR_MAX + 2);
    // An hour later what still waits is one message.
    ready.world.advance(61 * MINUTE);
    await until(
      async () => mail.mails.length,
      (n) => n > NOTICES_PER_HOUR_MAX + 2,
      "the next message for many",
    );
    await settled();
    expect(mail.mails).toHaveLength(NOTICES_PER_HOUR_MAX + 3);
    expect(mail.mails.at(-1)?.headers.get("subject")).toMatch(/^\d+ things wait for you$/);
  });
});

describe("where a person is reached", () => {
  it("counts once the code comes back, in the browser that asked; the earlier address hears of it", async () => {
    const person = ready.person;
    expect((await person.post("/contact/email", { address: "new@home.example" })).status).toBe(200);
    const code = /Your code: (\d{8})/.exec((await mailed(/Confirm your address/)).text)?.[1] ?? "";
    expect(mail.mails.at(-1)?.to).toEqual(["new@home.example"]);
    await settled();
    expect(hooks.delivered).toHaveLength(0);
    expect((await person.get("/contact")).json["email"]).toEqual({ address: HOLDER });
    const other = await Person.signIn(ready.world);
    expect((await other.post("/contact/email/confirm", { code })).status).toBe(410);
    const wrong = code === "00000000" ? "00000001" : "00000000";
    expect((await person.post("/contact/email/confirm", { code: wrong })).status).toBe(400);
    expect((await person.post("/contact/email/confirm", { code })).json["email"]).toEqual({
      address: "new@home.example",
    });
    expect((await mailed(/was changed/)).to).toEqual([HOLDER]);
    expect((await person.post("/contact/email/confirm", { code })).status).toBe(410);
    await consents(1);
    expect((await mailed(/grant/)).to).toEqual(["new@home.example"]);
  });

  it("five wrong codes end it, and nobody can have codes mailed without end", async () => {
    await ready.person.post("/contact/email", { address: "new@home.example" });
    const code = /Your code: (\d{8})/.exec((await mailed(/Confirm your address/)).text)?.[1] ?? "";
    const wrong = code === "00000000" ? "00000001" : "00000000";
    for (let i = 0; i < 5; i += 1) await ready.person.post("/contact/email/confirm", { code: wrong });
    expect((await ready.person.post("/contact/email/confirm", { code })).status).toBe(410);
    const answers: number[] = [];
    for (let i = 0; i < 6; i += 1)
      answers.push((await ready.person.post("/contact/email", { address: `a${i}@home.example` })).status);
    expect(answers.at(-1)).toBe(429);
    await settled();
  });

  it("nobody said where to: nothing is mailed, and nothing has failed", async () => {
    assert((await askGateway(ready.world.dataDir, { command: "contact_set" })).ok, "the address is taken away");
    expect((await mailed(/was changed/)).to).toEqual([HOLDER]);
    await consents(1);
    const rows = await settled();
    expect(rows.some((row) => row.state === "gave_up")).toBe(false);
    expect(mail.mails).toHaveLength(1);
    expect((await ready.person.get("/inbox")).text).not.toContain("unreached");
  });

  it.each([
    "a@b@c.example",
    "a b@c.example",
    "A <a@c.example>",
    "a@c.example\r\nBcc: x@y.example",
    "a,b@c.example",
    '"a"@c.example',
    "a@(x)c.example",
    "a@ü.example",
    "@c.example",
    "a@",
  ])("%j is no address", async (address) => {
    expect((await ready.person.post("/contact/email", { address })).status).toBe(400);
    expect(await askGateway(ready.world.dataDir, { command: "contact_set", address })).toMatchObject({ ok: false });
  });

  it("the store holds neither address nor code in the clear", async () => {
    await ready.person.post("/contact/email", { address: "new@home.example" });
    const code = /Your code: (\d{8})/.exec((await mailed(/Confirm your address/)).text)?.[1] ?? "";
    await settled();
    const kept = JSON.stringify(
      await inStore(ready.world.gateway, async (db) => [
        await db.selectFrom("contact").selectAll().execute(),
        await db.selectFrom("notice").selectAll().execute(),
        await db.selectFrom("notice_delivery").selectAll().execute(),
      ]),
      (_name, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value),
    );
    for (const text of [HOLDER, "new@home.example", code]) expect(kept).not.toContain(text);
  });
});

it("without a channel nothing is written, and nobody can have a code mailed", async () => {
  const plain = await readyWorld();
  try {
    await plain.agent.askGrant({ destination: "practice-shop", operations: ["retail.orders.list"] });
    const rows = await inStore(plain.world.gateway, (db) => db.selectFrom("notice").selectAll().execute());
    expect(rows).toHaveLength(0);
    expect((await plain.person.post("/contact/email", { address: "a@home.example" })).status).toBe(409);
  } finally {
    await plain.world.close();
  }
});
