import type {
  AccessAnswer,
  AccountIdentity,
  CommitAdapter,
  Ctx,
  LiveView,
  OpenSession,
  ReadAdapter,
  Route,
  Session,
  Site,
  ViewMessage,
} from "@countersign/plugin";
import { err, type JsonObject, ok, type Secret, secret } from "@countersign/wire";

/** A destination without a network, reached through "pages" that a test writes: who signs in there, what it answers. */
export interface StandIn {
  readonly route: Route;
  readonly site: Site;
  /** Who is signed in on the live page now; undefined when nobody is. */
  who: AccountIdentity | undefined;
  /** Session material that the site takes; what a sign-in yields is taken until it is removed here. */
  readonly good: Set<string>;
  /** What a read sees of the session that it was given. */
  readonly opened: string[];
  /** The most sessions of one account that were ever open at once. */
  readonly together: () => number;
  /** Runs inside each read, before it ends. */
  onRead: (material: string) => Promise<void>;
  /** What closing a session keeps; throws for a browser that died in the middle of it. */
  keeps: (material: string) => Promise<Secret<string> | undefined>;
  /** How often its commit was held: nothing of it may be sent without an approval. */
  held: number;
  /** What the access infrastructure said, when the site's check was put to it. */
  readonly access: AccessAnswer[];
  /** The site shows a check before its pages, and asks for a sign-in behind it. */
  gate: "none" | "check" | "check_then_sign_in";
  readonly told: ViewMessage[];
}

const CHECK = { kind: "captcha.image", origin: "https://stand-in.example", details: { picture: "/check.png" } };

export function standIn(): StandIn {
  const openNow = new Map<string, number>();
  let most = 0;
  let made = 0;
  const material = new WeakMap<Session, string>();
  const it: { -readonly [K in keyof StandIn]: StandIn[K] } = {
    who: undefined,
    good: new Set(),
    opened: [],
    together: () => most,
    onRead: async () => {},
    keeps: async () => undefined,
    held: 0,
    access: [],
    gate: "none",
    told: [],
    route: {
      kind: "browser",
      async open(_ctx, destination, kept) {
        const value = kept.reveal();
        if (!it.good.has(value)) return err("sign_in");
        it.opened.push(value);
        const now = (openNow.get(value) ?? 0) + 1;
        openNow.set(value, now);
        most = Math.max(most, now);
        const session: Session = { kind: "browser", origin: destination.origin };
        material.set(session, value);
        const open: OpenSession = {
          session,
          secrets: async () => [kept],
          material: () => it.keeps(value),
          close: async () => void openNow.set(value, (openNow.get(value) ?? 1) - 1),
        };
        return ok(open);
      },
      async beginSignIn() {
        return ok({
          mode: "live" as const,
          view: view(it.told),
          async verify() {
            if (it.who === undefined) return err("not_signed_in" as const);
            made += 1;
            const value = `session of ${it.who.name} ${made}`;
            it.good.add(value);
            return ok({ identity: it.who, material: secret(value) });
          },
          close: async () => {},
        });
      },
      stop: async () => {},
    },
    site: undefined as unknown as Site,
  };
  const gated = async (ctx: Ctx): Promise<"open" | "sign_in" | "gap"> => {
    if (it.gate === "none") return "open";
    const answer = await ctx.access(CHECK);
    it.access.push(answer);
    if (answer.kind !== "passed") return "gap";
    return it.gate === "check_then_sign_in" ? "sign_in" : "open";
  };
  const list: ReadAdapter<JsonObject, JsonObject> = {
    effect: "read",
    operation: "retail.orders.list",
    async read(ctx, session) {
      const gate = await gated(ctx);
      if (gate !== "open") return gate === "gap" ? { kind: "gap", why: "a check" } : { kind: "sign_in" };
      await it.onRead(material.get(session) ?? "");
      return { kind: "done", result: { orders: [] } };
    },
  };
  const cancel: CommitAdapter<JsonObject, unknown, JsonObject> = {
    effect: "commit",
    operation: "subscription.cancel",
    commits: [{ method: "POST", path: "/cancel" }],
    async prepare(ctx) {
      const gate = await gated(ctx);
      if (gate !== "open") return gate === "gap" ? { kind: "gap", why: "a check" } : { kind: "sign_in" };
      const terms = {
        provider: "stand-in.example",
        subscription_ref: "membership",
        plan: "Trail Club",
        ends_on: "2027-01-01",
        consequence: "It ends.",
      };
      return { kind: "ready", state: {}, terms };
    },
    async hold() {
      it.held += 1;
      return { kind: "gap", why: "never" };
    },
    observe: async () => ({ kind: "gap", why: "never" }),
    recognise: () => ({ kind: "unknown" }),
    readBack: async () => ({ kind: "unclear", why: "never" }),
  };
  it.site = {
    id: "stand-in",
    title: "Stand-in",
    version: "stand-in/1",
    entries: [
      {
        route: "browser",
        signIn: {},
        identify: async () => it.who,
        operations: [list, cancel] as never,
      },
    ],
  };
  return it;
}

function view(told: ViewMessage[]): LiveView {
  return {
    subscribe(listener) {
      const message: ViewMessage = { type: "location", origin: "https://stand-in.example", path: "/", trusted: true };
      told.push(message);
      listener(message);
      return () => {};
    },
    input: async () => {},
  };
}

export const STAND_IN = { id: "stand-in", site: "stand-in", origin: "https://stand-in.example" } as const;
