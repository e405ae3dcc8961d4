import { setTimeout as sleep } from "node:timers/promises";
import type { Destination, FormAnswer, FormSignIn, Route, SiteEntry } from "@countersign/plugin";
import { type Ctx, SiteTrouble } from "@countersign/plugin";
import { err, isJsonObject, ok, parseJson, type Secret, secret } from "@countersign/wire";
import type { ClientExtension } from "../extensions/extension.ts";
import { createCards } from "./cards.ts";
import { type A2aSession, a2aSession } from "./session.ts";

export interface A2aRouteOptions {
  /** The extensions that are spoken, asked for each time a card is judged. */
  readonly extensions: () => readonly ClientExtension[];
}

const VERSION = 1;

/**
 * Reaches a destination by its A2A agent (MAP-5). There is nothing to keep for a session: the agent is called with tokens
 * of our own issuing, so a connection only says that the person has agreed and that the agent knew them.
 */
export function createA2aRoute({ extensions }: A2aRouteOptions): Route {
  const cards = createCards(extensions);
  const open = (ctx: Ctx, destination: Destination) => {
    const tokens: Secret<string>[] = [];
    const session = a2aSession({
      ctx,
      destination,
      cards,
      onToken: ({ token }) => void tokens.push(token),
      wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    });
    return { session, tokens };
  };
  return {
    kind: "a2a",
    async open(ctx, destination, material) {
      if (!isMaterial(material)) return err("sign_in");
      const { session, tokens } = open(ctx, destination);
      return ok({
        session,
        secrets: async () => tokens,
        material: async () => undefined,
        close: async () => {},
      });
    },
    async beginSignIn(ctx, destination) {
      return ok(agreeing(ctx, destination, open(ctx, destination).session));
    },
    stop: async () => {},
  };
}

/** The person agrees; the agent is asked who they are there. It may want to see them first, at its own page. */
function agreeing(ctx: Ctx, destination: Destination, session: A2aSession): FormSignIn {
  const entry = destination.entry as SiteEntry<A2aSession>;
  return {
    mode: "form",
    fields: [],
    async submit(): Promise<FormAnswer> {
      try {
        const identity = await entry.identify(ctx, session);
        if (identity !== undefined) return { kind: "done", verified: { identity, material: newMaterial() } };
        const at = session.signInAt() ?? new URL(destination.origin).host;
        return {
          kind: "refused",
          message: `The agent does not know you yet. Sign in at ${at} first, then go on here.`,
        };
      } catch (error) {
        if (!(error instanceof SiteTrouble)) throw error;
        const why = session.refusal();
        if (why !== undefined) return { kind: "refused", message: `The agent cannot be used from here: ${why}.` };
        return { kind: "refused", message: "The agent does not answer as it should; try again in a moment." };
      }
    },
    close: async () => {},
  };
}

function newMaterial(): Secret<string> {
  return secret(JSON.stringify({ v: VERSION }));
}

function isMaterial(material: Secret<string>): boolean {
  const parsed = parseJson(material.reveal());
  return parsed.ok && isJsonObject(parsed.value) && parsed.value["v"] === VERSION;
}
