import type { JsonObject } from "@countersign/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askGateway } from "../packages/countersign/src/setup/admin-client.ts";
import {
  CEREMONY_LIFE_MS,
  CREDENTIAL_SETTLE_MS,
  PERSON_SESSION_IDLE_MS,
  PERSON_SESSION_LIFE_MS,
  SIGN_IN_FAILURES_MAX,
} from "../packages/gateway/src/limits.ts";
import { watchSession } from "../packages/gateway/src/people/sessions.ts";
import { send, until } from "./support/http.ts";
import { type Change, PasskeyDevice } from "./support/passkey-device.ts";
import { Visitor } from "./support/visitor.ts";
import { inStore, openWorld, type World } from "./support/world.ts";

const MINUTE = 60_000;
const SESSION = "__Host-countersign";
const BROWSER = "__Host-countersign-browser";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const newLink = async () => (await world.gateway.signInLink()).reveal();

async function byLink(): Promise<Visitor> {
  const visitor = new Visitor(world.issuer);
  expect((await visitor.byLink(await newLink())).status).toBe(204);
  return visitor;
}

async function options(visitor: Visitor, path: string, body: JsonObject = {}): Promise<JsonObject> {
  const begun = await visitor.post(path, body);
  expect(begun.status, begun.text).toBe(200);
  return begun.json["options"] as JsonObject;
}

async function enrol(visitor: Visitor, device: PasskeyDevice, label = "Laptop") {
  const asked = await options(visitor, "/passkeys/begin");
  return visitor.post("/passkeys/finish", { label, answer: device.register(asked) });
}

async function signIn(device: PasskeyDevice, change: Change = {}, visitor = new Visitor(world.issuer)) {
  const asked = await options(visitor, "/sign-in/begin");
  const reply = await visitor.post("/sign-in/finish", { answer: device.answer(asked, change) });
  return { visitor, reply };
}

const passkeysOf = async (visitor: Visitor) => (await visitor.get("/passkeys")).json["passkeys"] as JsonObject[];
const eventsOf = async (visitor: Visitor) =>
  ((await visitor.get("/passkeys")).json["events"] as { kind: string }[]).map((event) => event.kind);

/** The first passkey, through the first link: it counts. */
async function firstPasskey(): Promise<{ readonly visitor: Visitor; readonly device: PasskeyDevice }> {
  const visitor = await byLink();
  const device = new PasskeyDevice(world.issuer);
  expect((await enrol(visitor, device)).json).toMatchObject({ standing: "counts", label: "Laptop" });
  return { visitor, device };
}

describe("ways in", () => {
  it("U38 looking at a link, however often and by whomever, does not spend it; a press does, once", async () => {
    const link = await newLink();
    for (let i = 0; i < 20; i++) {
      const method = i % 2 === 0 ? "GET" : "HEAD";
      const bot = { "user-agent": "Slackbot-LinkExpanding 1.0" };
      for (const path of [`/link`, `/trusted/v1/session`, `/trusted/v1/session?link_token=${link}`])
        await send(world.issuer, method, path, { headers: bot });
    }
    const visitor = new Visitor(world.issuer);
    expect((await visitor.byLink(link)).status).toBe(204);
    expect((await visitor.get("/session")).json).toMatchObject({ began: "link", passkeys: 0 });
    expect((await new Visitor(world.issuer).byLink(link)).json["reason"]).toBe("gone");
  });

  it("a passkey signs in without a name, on any browser, and its session says how it began", async () => {
    const { device } = await firstPasskey();
    const asked = await options(new Visitor(world.issuer), "/sign-in/begin");
    expect(asked).toMatchObject({ rpId: "localhost", userVerification: "required" });
    expect(asked["allowCredentials"] ?? []).toEqual([]);
    const { visitor, reply } = await signIn(device);
    expect(reply.status).toBe(204);
    expect((await visitor.get("/session")).json).toMatchObject({ began: "passkey", passkeys: 1 });
  });

  it("an RSA passkey, as Windows makes them, signs in and approves; another algorithm is not offered and not taken", async () => {
    const visitor = await byLink();
    const asked = await options(visitor, "/passkeys/begin");
    expect((asked["pubKeyCredParams"] as { alg: number }[]).map((p) => p.alg)).toEqual([-7, -257]);
    expect(asked["authenticatorSelection"]).toMatchObject({ residentKey: "required", userVerification: "required" });
    const ed = new PasskeyDevice(world.issuer, "EdDSA");
    const refused = await visitor.post("/passkeys/finish", { label: "Key", answer: ed.register(asked) });
    expect(refused.json["reason"]).toBe("passkey_refused");
    const rsa = new PasskeyDevice(world.issuer, "RS256");
    expect((await enrol(visitor, rsa)).status).toBe(200);
    expect((await signIn(rsa)).reply.status).toBe(204);
  });

  it("the handle that devices keep is no pseudonym of records, and the person's other passkeys are named to the browser", async () => {
    const { visitor, device } = await firstPasskey();
    const asked = await options(visitor, "/passkeys/begin");
    expect(asked["excludeCredentials"]).toMatchObject([{ id: device.credentialId }]);
    const handle = (asked["user"] as { id: string }).id;
    const people = await inStore(world.gateway, (db) => db.selectFrom("person").selectAll().execute());
    for (const person of people) {
      expect(Buffer.from(handle, "base64url").toString("latin1")).not.toContain(person.pseudonym);
      expect(handle).not.toContain(person.person_id);
    }
  });
});

describe("a ceremony is judged by what was asked, of this browser, once", () => {
  const wrong: readonly (readonly [string, Change])[] = [
    ["another origin", { origin: "https://evil.example" }],
    ["another party", { rpId: "evil.example" }],
    ["nobody verified", { user: "present" }],
    ["another ceremony", { type: "webauthn.create" }],
    ["a challenge of nobody's", { challenge: "A".repeat(43) }],
    ["a frame", { crossOrigin: true }],
    ["a frame that says whose", { topOrigin: "https://evil.example" }],
    ["somebody else's handle", { userHandle: "A".repeat(43) }],
    ["no handle", { userHandle: undefined }],
    ["a passkey that nobody has", { id: "A".repeat(43) }],
    ["a broken signature", { alterSignature: true }],
  ];
  it.each(wrong)("sign-in with %s: the one refusal, and no session", async (_name, change) => {
    const { device } = await firstPasskey();
    const { visitor, reply } = await signIn(device, change);
    expect([reply.status, reply.json["reason"]]).toEqual([403, "passkey_refused"]);
    expect(visitor.cookies.has(SESSION)).toBe(false);
  });

  it.each([...wrong.slice(0, 3), ["another ceremony", { type: "webauthn.get" }] as const, ...wrong.slice(4, 7)])(
    "a new passkey with %s is not enrolled",
    async (_name, change) => {
      const visitor = await byLink();
      const device = new PasskeyDevice(world.issuer);
      const asked = await options(visitor, "/passkeys/begin");
      const reply = await visitor.post("/passkeys/finish", { label: "x", answer: device.register(asked, change) });
      expect(reply.json["reason"]).toBe("passkey_refused");
      expect(await passkeysOf(visitor)).toEqual([]);
    },
  );

  it("an answer counts once, in its time, from the browser that was asked, and after a restart", async () => {
    const { device } = await firstPasskey();
    const visitor = new Visitor(world.issuer);
    const asked = await options(visitor, "/sign-in/begin");
    const answer = device.answer(asked);
    expect((await new Visitor(world.issuer).post("/sign-in/finish", { answer })).json["reason"]).toBe(
      "passkey_refused",
    );
    const thief = new Visitor(world.issuer);
    await options(thief, "/sign-in/begin");
    expect((await thief.post("/sign-in/finish", { answer })).json["reason"]).toBe("passkey_refused");
    await world.restart();
    const browser = String(visitor.cookies.get(BROWSER));
    expect((await visitor.post("/sign-in/finish", { answer })).status).toBe(204);
    expect(visitor.cookies.has(BROWSER)).toBe(false);
    const again = new Visitor(world.issuer);
    again.cookies.set(BROWSER, browser);
    expect((await again.post("/sign-in/finish", { answer })).json["reason"]).toBe("passkey_refused");

    const late = new Visitor(world.issuer);
    const old = device.answer(await options(late, "/sign-in/begin"));
    world.advance(CEREMONY_LIFE_MS);
    expect((await late.post("/sign-in/finish", { answer: old })).json["reason"]).toBe("passkey_refused");
  });

  it("a challenge to enrol is of no use to sign in, nor to another session of the same person", async () => {
    const { visitor, device } = await firstPasskey();
    const asked = await options(visitor, "/passkeys/begin");
    const out = new Visitor(world.issuer);
    await options(out, "/sign-in/begin");
    expect((await out.post("/sign-in/finish", { answer: device.answer(asked) })).json["reason"]).toBe(
      "passkey_refused",
    );
    const { visitor: other } = await signIn(device);
    const second = new PasskeyDevice(world.issuer);
    const stolen = await other.post("/passkeys/finish", { label: "x", answer: second.register(asked) });
    expect(stolen.json["reason"]).toBe("passkey_refused");
  });

  it("a counter that falls back is refused and told; one that grows goes on, and none is no trouble", async () => {
    const { visitor, device } = await firstPasskey();
    expect((await signIn(device)).reply.status).toBe(204);
    expect((await signIn(device, { counter: 7 })).reply.status).toBe(204);
    for (const counter of [7, 3, 0]) {
      expect((await signIn(device, { counter })).reply.json["reason"]).toBe("passkey_refused");
    }
    expect(await eventsOf(visitor)).toContain("passkey_copied");
    expect((await signIn(device, { counter: 8 })).reply.status).toBe(204);
  });

  it("wrong answers are bounded for a browser, with the answer of a refusal that says nothing else", async () => {
    const { device } = await firstPasskey();
    const visitor = new Visitor(world.issuer);
    for (let i = 0; i < SIGN_IN_FAILURES_MAX; i++)
      expect((await signIn(device, { alterSignature: true }, visitor)).reply.status).toBe(403);
    expect((await visitor.post("/sign-in/begin")).json["reason"]).toBe("rate_limited");
    world.advance(16 * MINUTE);
    expect((await signIn(device, {}, visitor)).reply.status).toBe(204);
  });

  it("tries are bounded for an address, whatever cookies they show", async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const visitor = new Visitor(world.issuer);
        visitor.cookies.set(SESSION, `invented-${i}`);
        return visitor.byLink("A".repeat(43));
      }),
    );
    expect(replies.map((r) => r.status)).toContain(429);
    expect(replies.filter((r) => r.status === 410).length).toBeLessThanOrEqual(30);
  });

  it("U35 none of it takes a cross-site request, a form's, or an agent's token", async () => {
    const visitor = await byLink();
    for (const path of ["/sign-in/begin", "/session", "/passkeys/begin", "/sessions/end-all"]) {
      for (const headers of [
        { origin: "https://evil.example" },
        { "sec-fetch-site": "cross-site" },
        { authorization: "Bearer x" },
      ])
        expect((await visitor.post(path, {}, headers)).json["reason"]).toBe("forbidden");
      const form = { origin: world.issuer, "content-type": "application/json", "sec-fetch-site": "same-origin" };
      const bare = await send(world.issuer, "POST", `/trusted/v1${path}`, { headers: form, body: "{}" });
      expect(bare.json["reason"]).toBe("forbidden");
    }
  });
});

describe("which passkey counts, and when", () => {
  it("the first one of the first link counts at once; the next of the same session settles, as it was the thief's", async () => {
    const { visitor } = await firstPasskey();
    expect((await visitor.get("/passkeys")).json["new_passkey"]).toBe("settles");
    const second = new PasskeyDevice(world.issuer);
    const made = await enrol(visitor, second, "Phone");
    expect(made.json).toMatchObject({ standing: "settling", label: "Phone" });
    expect(Date.parse(String(made.json["counts_from"])) - Date.parse(String(made.json["added_at"]))).toBe(
      CREDENTIAL_SETTLE_MS,
    );
    expect((await signIn(second)).reply.status).toBe(204);
    world.advance(CREDENTIAL_SETTLE_MS);
    const { visitor: later } = await signIn(second);
    expect((await passkeysOf(later)).map((row) => row["standing"])).toEqual(["counts", "counts"]);
  });

  it("two first passkeys at once: one of them counts", async () => {
    const visitor = await byLink();
    const devices = [new PasskeyDevice(world.issuer), new PasskeyDevice(world.issuer)];
    const asked = await Promise.all(devices.map(() => options(visitor, "/passkeys/begin")));
    await Promise.all(
      devices.map((device, i) =>
        visitor.post("/passkeys/finish", { label: `d${i}`, answer: device.register(asked[i] ?? {}) }),
      ),
    );
    const rows = await inStore(world.gateway, (db) => db.selectFrom("credential").selectAll().execute());
    expect(rows.filter((row) => row.confirmed_at !== null)).toHaveLength(1);
  });

  it("a recovery link signs in, but a passkey made by it settles, also when the thief removes the older ones first", async () => {
    const { device } = await firstPasskey();
    const thief = await byLink();
    expect(await eventsOf(thief)).toContain("link_used");
    expect((await thief.get("/passkeys")).json["new_passkey"]).toBe("settles");
    await thief.post("/passkeys/remove", { credential_id: device.credentialId });
    expect((await thief.get("/passkeys")).json["new_passkey"]).toBe("settles");
    expect((await enrol(thief, new PasskeyDevice(world.issuer))).json["standing"]).toBe("settling");
    expect((await signIn(device)).reply.json["reason"]).toBe("passkey_refused");
  });

  it("where none is left when the operator makes the link, the next one counts at once", async () => {
    const { visitor, device } = await firstPasskey();
    await visitor.post("/passkeys/remove", { credential_id: device.credentialId });
    world.advance(1_000);
    const again = await byLink();
    expect((await enrol(again, new PasskeyDevice(world.issuer))).json["standing"]).toBe("counts");
  });

  it("one made in a session of a passkey settles, until an older one signs for it by name", async () => {
    const { device: old } = await firstPasskey();
    const { visitor } = await signIn(old);
    const fresh = new PasskeyDevice(world.issuer);
    await enrol(visitor, fresh, "Phone");
    const named = { credential_id: fresh.credentialId };
    const asked = await options(visitor, "/passkeys/confirm/begin", named);
    expect(asked["allowCredentials"]).toMatchObject([{ id: old.credentialId }]);
    const itself = await visitor.post("/passkeys/confirm/finish", { answer: fresh.answer(asked) });
    expect(itself.json["reason"]).toBe("passkey_refused");
    const third = new PasskeyDevice(world.issuer);
    const other = third.register({ ...(await options(visitor, "/passkeys/confirm/begin", named)), user: { id: "AA" } });
    const crossed = await visitor.post("/passkeys/finish", { label: "x", answer: other });
    expect(crossed.json["reason"]).toBe("passkey_refused");
    const right = await options(visitor, "/passkeys/confirm/begin", named);
    expect(right["challenge"]).not.toBe(asked["challenge"]);
    const before = visitor.cookies.get(SESSION);
    expect((await visitor.post("/passkeys/confirm/finish", { answer: old.answer(right) })).json).toMatchObject({
      credential_id: fresh.credentialId,
      standing: "counts",
    });
    expect(visitor.cookies.get(SESSION)).not.toBe(before);
    expect((await visitor.post("/passkeys/confirm/begin", named)).json["reason"]).toBe("conflict");
    expect(await eventsOf(visitor)).toContain("passkey_confirmed");
  });

  it("a settling passkey cannot confirm another, and nobody confirms somebody else's", async () => {
    const { device: old } = await firstPasskey();
    const { visitor } = await signIn(old);
    const [one, two] = [new PasskeyDevice(world.issuer), new PasskeyDevice(world.issuer)];
    await enrol(visitor, one);
    await enrol(visitor, two);
    const asked = await options(visitor, "/passkeys/confirm/begin", { credential_id: two.credentialId });
    const refused = await visitor.post("/passkeys/confirm/finish", { answer: one.answer(asked) });
    expect(refused.json["reason"]).toBe("passkey_refused");
    const added = await askGateway(world.dataDir, { command: "person_add", name: "Somebody else" });
    const personId = String(added.ok && added.value["person_id"]);
    const link = await askGateway(world.dataDir, { command: "link", person_id: personId });
    const other = new Visitor(world.issuer);
    await other.byLink(String(link.ok && link.value["url"]).split("#")[1] ?? "");
    for (const path of ["/passkeys/confirm/begin", "/passkeys/remove"])
      expect((await other.post(path, { credential_id: two.credentialId })).json["reason"]).toBe("not_found");
    const named = { credential_id: two.credentialId, label: "mine" };
    expect((await other.post("/passkeys/rename", named)).json["reason"]).toBe("not_found");
    const [mine] = (await visitor.get("/passkeys")).json["sessions"] as { session_ref: string }[];
    const theirs = await other.post("/sessions/end", { session_ref: String(mine?.session_ref) });
    expect(theirs.json["reason"]).toBe("not_found");
    expect((await visitor.get("/session")).status).toBe(200);
    expect(await passkeysOf(other)).toEqual([]);
  });

  it("several passkeys are told apart by their labels; renaming and removing are the person's, and removing is in the log", async () => {
    const { visitor, device } = await firstPasskey();
    const second = new PasskeyDevice(world.issuer);
    await enrol(visitor, second, "Phone");
    await visitor.post("/passkeys/rename", { credential_id: device.credentialId, label: "Work laptop" });
    expect((await passkeysOf(visitor)).map((row) => row["label"])).toEqual(["Work laptop", "Phone"]);
    expect((await visitor.post("/passkeys/remove", { credential_id: device.credentialId })).status).toBe(204);
    expect((await visitor.post("/passkeys/remove", { credential_id: device.credentialId })).json["reason"]).toBe(
      "not_found",
    );
    expect((await passkeysOf(visitor)).map((row) => row["label"])).toEqual(["Phone"]);
    const leaves = await inStore(world.gateway, (db) =>
      db.selectFrom("leaf").select(["kind", "payload"]).where("kind", "=", "revocation").execute(),
    );
    expect(leaves.map((leaf) => leaf.payload).join()).toContain(device.credentialId);
  });

  it("what happened stands in the inbox until the person says that they have seen it; the first passkey is no news", async () => {
    const { visitor } = await firstPasskey();
    const inbox = async () =>
      ((await visitor.get("/inbox")).json["items"] as { kind: string; href: string }[]).filter(
        (item) => item.kind === "security",
      );
    expect(await inbox()).toEqual([]);
    await enrol(visitor, new PasskeyDevice(world.issuer));
    expect(await inbox()).toMatchObject([{ href: "/passkeys" }]);
    const [event] = (await visitor.get("/passkeys")).json["events"] as { event_id: string }[];
    expect((await visitor.post("/sign-in-events/seen", { event_ids: [String(event?.event_id)] })).status).toBe(204);
    expect(await inbox()).toEqual([]);
  });
});

describe("sessions", () => {
  it("end when nothing was asked for a while, and after their absolute life however busy they are", async () => {
    const idle = await byLink();
    world.advance(PERSON_SESSION_IDLE_MS - 1_000);
    expect((await idle.get("/session")).status).toBe(200);
    world.advance(PERSON_SESSION_IDLE_MS);
    expect((await idle.get("/session")).status).toBe(401);

    const busy = await byLink();
    for (let passed = 0; passed < PERSON_SESSION_LIFE_MS - 30 * MINUTE; passed += 30 * MINUTE) {
      world.advance(30 * MINUTE);
      expect((await busy.get("/session")).status).toBe(200);
    }
    world.advance(30 * MINUTE);
    expect((await busy.get("/session")).status).toBe(401);
  });

  it("leave the store, once over, with the person's next sign-in; those that live stay", async () => {
    await byLink();
    world.advance(PERSON_SESSION_IDLE_MS);
    const living = await byLink();
    await byLink();
    const kept = await inStore(world.gateway, (db) => db.selectFrom("person_session").select("session_hash").execute());
    expect(kept).toHaveLength(2);
    expect((await living.get("/session")).status).toBe(200);
  });

  it("have a new token after each sign-in and each new passkey; the old one is worth nothing", async () => {
    const visitor = await byLink();
    const first = String(visitor.cookies.get(SESSION));
    await enrol(visitor, new PasskeyDevice(world.issuer));
    const second = String(visitor.cookies.get(SESSION));
    expect(second).not.toBe(first);
    const old = new Visitor(world.issuer);
    old.cookies.set(SESSION, first);
    expect((await old.get("/session")).status).toBe(401);
    expect((await visitor.get("/session")).status).toBe(200);
    expect((await visitor.byLink(await newLink())).status).toBe(204);
    old.cookies.set(SESSION, second);
    expect((await old.get("/session")).status).toBe(401);
    const stored = await inStore(world.gateway, (db) => db.selectFrom("person_session").selectAll().execute());
    expect(JSON.stringify(stored)).not.toContain(String(visitor.cookies.get(SESSION)));
  });

  it("are listed with their browser, and end one by one or all at once", async () => {
    const { device } = await firstPasskey();
    const phone = new Visitor(world.issuer, "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19.0 Safari/604.1");
    await signIn(device, {}, phone);
    const { visitor: here } = await signIn(device);
    const listed = (await here.get("/passkeys")).json["sessions"] as JsonObject[];
    expect(listed.map((one) => one["device"]).toSorted()).toEqual([
      "Chrome on Linux",
      "Chrome on Linux",
      "Safari on iPhone",
    ]);
    expect(listed.filter((one) => one["this_one"])).toHaveLength(1);
    const phones = listed.find((one) => one["device"] === "Safari on iPhone");
    const ended = { session_ref: String(phones?.["session_ref"]) };
    expect((await here.post("/sessions/end", ended)).status).toBe(204);
    expect((await phone.get("/session")).status).toBe(401);
    expect((await here.post("/sessions/end", ended)).json["reason"]).toBe("not_found");
    expect((await here.post("/sessions/end-all")).status).toBe(204);
    expect(here.cookies.has(SESSION)).toBe(false);
    const left = await inStore(world.gateway, (db) => db.selectFrom("person_session").selectAll().execute());
    expect(left).toEqual([]);
  });

  it("what outlives a request hears of the end of its session, also when another process ended it; a new token is no end", async () => {
    const visitor = await byLink();
    const [row] = await inStore(world.gateway, (db) =>
      db.selectFrom("person_session").select("session_hash").execute(),
    );
    const heard: string[] = [];
    const { core } = world.gateway;
    const stop = watchSession(core, String(row?.session_hash), () => heard.push("ended"));
    await enrol(visitor, new PasskeyDevice(world.issuer));
    const other = watchSession(core, "A".repeat(43), () => heard.push("never was"));
    await until(
      async () => heard,
      (all) => all.length > 0,
      "the watch to look once",
    );
    expect(heard).toEqual(["never was"]);
    expect((await visitor.post("/sessions/end-all")).status).toBe(204);
    await until(
      async () => heard,
      (all) => all.length > 1,
      "the watch to notice",
    );
    expect(heard).toEqual(["never was", "ended"]);
    stop();
    other();
  });

  it("cookies are host-only, secure, out of reach of scripts and of other sites", async () => {
    const visitor = new Visitor(world.issuer);
    const replies = [await visitor.post("/sign-in/begin"), await visitor.byLink(await newLink())];
    const lines = replies.flatMap((reply) => reply.headers["set-cookie"] ?? []);
    expect(lines.map((line) => line.split("=")[0]).toSorted()).toEqual([
      SESSION,
      BROWSER,
      BROWSER,
      "__Host-countersign-page",
    ]);
    // Our own pages read theirs; it is worth nothing without the others.
    for (const line of lines.filter((one) => !one.startsWith("__Host-countersign-page")))
      expect(line).toMatch(/^[^=]+=[^;]*; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict$/);
  });
});
