import type { IncomingMessage } from "node:http";
import { dayOf } from "../bank/days.ts";
import { type Answer, json } from "../http/reply.ts";
import { DELAY_MS_MAX } from "../limits.ts";
import { type SiteControl, siteControl } from "../site/control.ts";
import { answerPort } from "../site/port.ts";
import { claimWire } from "./api/wire.ts";
import { claimsOf, offerOf, submit } from "./book.ts";
import type { Claim, Wish } from "./model.ts";
import { type InsurerCommit, type InsurerSetting, problemWithInsurer } from "./switches.ts";
import { type InsurerCounters, type InsurerWorld, resetInsurerWorld } from "./world.ts";

/** Everything a test or demo can do to the insurer from outside its pages. */
export interface InsurerControl extends SiteControl<InsurerSetting, InsurerCounters, InsurerCommit> {
  /** Every excess moves by this from now on (never below nothing). 0 moves it back. */
  readonly excess: (deltaMinor: number) => void;
  /** A changed cookie's predecessor is worth nothing at once. */
  readonly strictCookies: () => void;
  /** Claims as the person would from another device: not counted, no fault strikes it. Today when no day is named. */
  readonly claimElsewhere: (wish: Pick<Wish, "policy" | "amountMinor" | "description"> & Partial<Wish>) => Claim;
  /** Every session cookie that programs were given since the insurer opened or was reset. */
  readonly issued: () => readonly string[];
  /** Newest first. */
  readonly claims: () => readonly Claim[];
}

export function createInsurerControl(world: InsurerWorld): InsurerControl {
  const common = siteControl<InsurerCommit, InsurerSetting, InsurerCounters>({
    title: "practice insurer",
    world,
    switches: world.switches,
    problemWith: (setting) => problemWithInsurer(setting, DELAY_MS_MAX),
    counters: () => ({ ...world.state.counters }),
    endSession: () => {
      world.state.sessions.clear();
      world.state.tickets.clear();
    },
    reset: () => resetInsurerWorld(world),
  });
  return {
    ...common,
    excess: (deltaMinor) => common.set({ switch: "excess", deltaMinor }),
    strictCookies: () => common.set({ switch: "strictCookies" }),
    claimElsewhere: (wish) => {
      const offer = offerOf(world, { happenedOn: dayOf(world.now()), ownReference: "", ...wish });
      if (typeof offer === "string") throw new RangeError(`practice insurer: ${offer}`);
      return submit(world, offer);
    },
    issued: () => world.state.issued,
    claims: () => claimsOf(world),
  };
}

/** The insurer's control port: what every site's has, and `GET /claims`. */
export function answerInsurerControl(world: InsurerWorld, request: IncomingMessage): Promise<Answer> {
  const control = createInsurerControl(world);
  return answerPort<InsurerSetting>(
    {
      control,
      problemWith: (setting) => problemWithInsurer(setting, DELAY_MS_MAX),
      withDefaults: (body) => body,
      more: { "GET /claims": () => json(200, { claims: control.claims().map((claim) => claimWire(claim)) }) },
    },
    request,
  );
}
