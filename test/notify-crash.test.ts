import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import { NOTICE_LEASE_MS } from "../packages/gateway/src/limits.ts";
import { until } from "./support/http.ts";
import { type MailServer, openMailServer } from "./support/mail.ts";
import { type Member, openSeveral, type Several } from "./support/several.ts";

// A message and the death of whoever sends it; two gateways and one outbox. On PostgreSQL, which gateways share.

const PAST_THE_LEASE = { aheadMs: NOTICE_LEASE_MS + 5_000 } as const;
let several: Several;
let mail: MailServer;
beforeEach(async () => {
  mail = await openMailServer();
  several = await openSeveral();
});
afterEach(async () => {
  await several.close();
  await mail.close();
});

async function setUp(member: Member): Promise<void> {
  const set = await askGateway(member.dataDir, { command: "contact_set", address: "holder@home.example" });
  expect(set.ok).toBe(true);
}
const ask = async (member: Member, name: string): Promise<void> => {
  expect((await askGateway(member.dataDir, { command: "agent_add", name })).ok).toBe(true);
};
const died = (member: Member) =>
  until(
    async () => member.process.signalCode,
    (code) => code === "SIGKILL",
    "the gateway to die",
  );
const states = () => several.database.query("select state, tries, message_id from notice_delivery");
const sent = () =>
  until(states, (rows) => rows.length > 0 && rows.every((row) => row["state"] === "sent"), "everything to be sent");
const ids = () => mail.mails.map((m) => m.headers.get("message-id"));

describe("kill -9", () => {
  it("before it is sent: another gateway sends it, once, when the lease has run out", async () => {
    const dying = await several.start({ mailPort: mail.port, dieAt: "notice.before_send" });
    await setUp(dying);
    await ask(dying, "One").catch(() => {});
    await died(dying);
    expect(mail.mails).toHaveLength(0);
    await several.start({ mailPort: mail.port, ...PAST_THE_LEASE });
    expect(await sent()).toMatchObject([{ tries: "2" }]);
    expect(mail.mails).toHaveLength(1);
  });

  it("between sending and writing so: one second copy, with the same id, and no third", async () => {
    const dying = await several.start({ mailPort: mail.port, dieAt: "notice.after_send" });
    await setUp(dying);
    await ask(dying, "One").catch(() => {});
    await died(dying);
    expect(mail.mails).toHaveLength(1);
    // Nobody takes it over while the dead one's lease runs: its owner might be well.
    const early = await several.start({ mailPort: mail.port });
    await ask(early, "Two");
    expect(mail.mails).toHaveLength(1);
    await several.start({ mailPort: mail.port, ...PAST_THE_LEASE });
    await sent();
    const [first, ...more] = ids();
    expect(more.filter((id) => id === first)).toHaveLength(1);
    expect(new Set(ids()).size).toBe(2);
    expect(mail.mails).toHaveLength(3);
  });
});

it("two gateways and one outbox: each message goes out once", async () => {
  const one = await several.start({ mailPort: mail.port });
  const two = await several.start({ mailPort: mail.port });
  await setUp(one);
  for (let i = 0; i < 8; i += 1) await ask(i % 2 === 0 ? one : two, `Agent ${i}`);
  await sent();
  expect(mail.mails).toHaveLength(8);
  expect(new Set(ids()).size).toBe(8);
});
