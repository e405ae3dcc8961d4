import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import tls from "node:tls";
import { assert, secret } from "@countersign/wire";
import { afterEach, describe, expect, it } from "vitest";
import { createEgress } from "../packages/gateway/src/egress/egress.ts";
import { createGuard } from "../packages/gateway/src/egress/guard.ts";
import type { Message } from "../packages/gateway/src/notify/channels/channel.ts";
import { createEmail, type EmailSetting } from "../packages/gateway/src/notify/channels/email.ts";
import { createWebhook, signature } from "../packages/gateway/src/notify/channels/webhook.ts";
import { certificate, type MailServer, openMailServer } from "./support/mail.ts";
import { openReceiver, type Receiver, verifies } from "./support/webhook.ts";

const message: Message = {
  id: "msg_1",
  kind: "approval",
  personId: "usr_1",
  subject: "Your decision is needed: Place an order, 49.90 EUR",
  text: "An agent asks.\n\n> Pay to: shop[.]example — ünïcode, a line longer than seventy-six characters, so that it has to be folded\n.\n",
  url: "http://localhost:4600/approvals/act_1",
  createdAt: 1_800_000_000_000,
};
const ISSUER = "http://localhost:4600";
const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
const mailServer = async (options?: Parameters<typeof openMailServer>[0]): Promise<MailServer> => {
  const server = await openMailServer(options);
  open.push(server);
  return server;
};
const receiver = async (): Promise<Receiver> => {
  const made = await openReceiver();
  open.push(made);
  return made;
};
const login = { user: "gateway", password: secret("canary-password") };
function email(port: number, change: Partial<EmailSetting>) {
  const channel = createEmail(
    { host: "localhost", port, tls: "none", from: "gateway@home.example", ...change },
    ISSUER,
  );
  open.push(channel);
  return channel;
}

describe("mail", () => {
  it("is plain text, whole, to one receiver, with the same id on each try", async () => {
    const server = await mailServer();
    const channel = email(server.port, {});
    expect(await channel.send(message, "holder@home.example")).toEqual({ ok: true, value: undefined });
    expect(await channel.send(message, "holder@home.example")).toEqual({ ok: true, value: undefined });
    const [mail, again] = server.mails;
    expect(mail).toMatchObject({ from: "gateway@home.example", to: ["holder@home.example"], secure: false });
    expect(mail?.headers.get("subject")).toBe(message.subject);
    expect(mail?.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(mail?.headers.get("message-id")).toBe("<msg_1@localhost>");
    expect(again?.headers.get("message-id")).toBe("<msg_1@localhost>");
    expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
    expect(mail?.text.replaceAll("\r\n", "\n").trimEnd()).toBe(message.text.trimEnd());
    expect(mail?.raw).not.toMatch(/<html|<img|multipart/i);
  });

  it("demands TLS before it says who it is: a server that offers none hears no password", async () => {
    const server = await mailServer({ authOptional: true, allowInsecureAuth: true });
    const answer = await email(server.port, { tls: "starttls", ...login }).send(message, "holder@home.example");
    expect(answer).toMatchObject({ ok: false, reason: { retry: "later" } });
    expect(server.mails).toHaveLength(0);
  });

  it("believes no certificate that it cannot check, at either sort of TLS", async () => {
    const { key, cert } = certificate();
    for (const [setting, options] of [
      ["implicit", { secure: true }],
      ["starttls", {}],
    ] as const) {
      const server = await mailServer({ key, cert, ...options });
      expect(await email(server.port, { tls: setting, ...login }).send(message, "h@home.example")).toMatchObject({
        ok: false,
        reason: { retry: "later" },
      });
      expect(server.mails).toHaveLength(0);
    }
  });

  it("signs in over TLS, from the first byte or by STARTTLS", async () => {
    const { key, cert } = certificate();
    const before = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...before, cert]);
    try {
      for (const [setting, options] of [
        ["implicit", { secure: true }],
        ["starttls", {}],
      ] as const) {
        const server = await mailServer({ key, cert, ...options });
        expect(await email(server.port, { tls: setting, ...login }).send(message, "h@home.example")).toMatchObject({
          ok: true,
        });
        expect(server.mails).toMatchObject([{ secure: true, user: "gateway" }]);
        const wrong = { user: "gateway", password: secret("canary-wrong") };
        const refused = await email(server.port, { tls: setting, ...wrong }).send(message, "h@home.example");
        expect(refused).toEqual({ ok: false, reason: { retry: "later", code: "EAUTH 535" } });
      }
    } finally {
      tls.setDefaultCACertificates(before);
    }
  });

  it("a mailbox that does not exist is final; a server that is busy, closed or silent is not", async () => {
    const server = await mailServer({
      authOptional: true,
      onRcptTo: (address, _session, done) => {
        const code = address.address.startsWith("nobody") ? 550 : address.address.startsWith("full") ? 452 : 0;
        done(code === 0 ? undefined : Object.assign(new Error("canary-text"), { responseCode: code }));
      },
    });
    const channel = email(server.port, {});
    expect(await channel.send(message, "nobody@home.example")).toMatchObject({ ok: false, reason: { retry: "never" } });
    expect(await channel.send(message, "full@home.example")).toMatchObject({ ok: false, reason: { retry: "later" } });
    expect(await channel.send(message, undefined)).toEqual({
      ok: false,
      reason: { retry: "never", code: "no_address" },
    });
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const address = closed.address();
    assert(address !== null && typeof address === "object", "listens");
    await new Promise((resolve) => closed.close(resolve));
    expect(await email(address.port, {}).send(message, "h@home.example")).toMatchObject({
      ok: false,
      reason: { retry: "later" },
    });
    expect(JSON.stringify(await channel.send(message, "nobody@home.example"))).not.toContain("canary");
  });
});

describe("a webhook of the operator's", () => {
  const key = randomBytes(32);
  const secretText = `whsec_${key.toString("base64")}`;
  const now = () => 1_800_000_123_456;
  const webhook = (url: string, named: string) =>
    createWebhook(
      { url, key: secret(new Uint8Array(key)) },
      createEgress(createGuard({ namedOrigins: new Set([named]) })),
      now,
    );

  it("carries a signature that the specification's receiver accepts, and no other", async () => {
    const to = await receiver();
    expect(await webhook(to.url, to.origin).send(message, undefined)).toEqual({ ok: true, value: undefined });
    const [got] = to.delivered;
    assert(got !== undefined, "it arrived");
    expect(verifies(secretText, got, 1_800_000_123)).toBe(true);
    expect(verifies(secretText, { ...got, body: `${got.body} ` }, 1_800_000_123)).toBe(false);
    expect(verifies(secretText, { ...got, id: "msg_2" }, 1_800_000_123)).toBe(false);
    expect(verifies(secretText, got, 1_800_001_000)).toBe(false);
    expect(verifies(`whsec_${randomBytes(32).toString("base64")}`, got, 1_800_000_123)).toBe(false);
    expect(got.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(got.body)).toEqual({
      type: "notice.approval",
      timestamp: "2027-01-15T08:00:00Z",
      data: { person_id: "usr_1", subject: message.subject, text: message.text, url: message.url },
    });
  });

  it("agrees with the specification's own example", () => {
    const example = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const body = '{"test": 2432232314}';
    expect(signature(secret(new Uint8Array(example)), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  it.each([301, 302, 307, 308])("follows no redirect (%s)", async (status) => {
    const [to, elsewhere] = [await receiver(), await receiver()];
    to.answer = { status, headers: { location: elsewhere.url } };
    expect(await webhook(to.url, to.origin).send(message, undefined)).toMatchObject({
      ok: false,
      reason: { retry: "later", code: `status ${status}` },
    });
    expect(elsewhere.delivered).toHaveLength(0);
  });

  it("goes to no private address but the one that was named", async () => {
    const to = await receiver();
    const elsewhere = await receiver();
    expect(await webhook(to.url, elsewhere.origin).send(message, undefined)).toMatchObject({ ok: false });
    expect(to.delivered).toHaveLength(0);
  });

  it("a receiver that is gone is given up; one that fails is tried again", async () => {
    const to = await receiver();
    to.answer = { status: 410 };
    expect(await webhook(to.url, to.origin).send(message, undefined)).toMatchObject({ reason: { retry: "never" } });
    to.answer = { status: 500 };
    expect(await webhook(to.url, to.origin).send(message, undefined)).toMatchObject({ reason: { retry: "later" } });
  });
});
