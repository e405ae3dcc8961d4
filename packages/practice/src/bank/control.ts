import type { IncomingMessage } from "node:http";
import { type Answer, json } from "../http/reply.ts";
import { DELAY_MS_MAX } from "../limits.ts";
import { type SiteControl, siteControl } from "../site/control.ts";
import { answerPort } from "../site/port.ts";
import { transferWire } from "./api/wire.ts";
import { offerOf, send } from "./ledger.ts";
import type { Transfer, Wish } from "./model.ts";
import { type BankCommit, type BankSetting, problemWithBank } from "./switches.ts";
import { type BankCounters, type BankWorld, resetBankWorld } from "./world.ts";

/** Everything a test or demo can do to the bank from outside its pages. */
export interface BankControl extends SiteControl<BankSetting, BankCounters, BankCommit> {
  /** Every fee moves by this from now on (never below nothing). 0 moves it back. */
  readonly fee: (deltaMinor: number) => void;
  /** This much more than the offer leaves the account. */
  readonly chargeOver: (deltaMinor: number, scope?: { readonly times?: number }) => void;
  /** A renewal of tokens takes place and its answer is lost. */
  readonly loseRenewal: (scope?: { readonly times?: number }) => void;
  /** Ends every access token and leaves the refresh tokens: as when their time is over. */
  readonly endAccessTokens: () => void;
  /** Sends as the person would from another device: not counted, no fault strikes it. */
  readonly sendElsewhere: (wish: Omit<Wish, "ownReference" | "text"> & Partial<Wish>) => Transfer;
  /** Every token that programs were given since the bank opened or was reset. */
  readonly issued: () => readonly string[];
  /** Newest first. */
  readonly transfers: () => readonly Transfer[];
}

export function createBankControl(world: BankWorld): BankControl {
  const common = siteControl<BankCommit, BankSetting, BankCounters>({
    title: "practice bank",
    world,
    switches: world.switches,
    problemWith: (setting) => problemWithBank(setting, DELAY_MS_MAX),
    counters: () => ({ ...world.state.counters }),
    endSession: () => {
      world.state.sessions.clear();
      world.state.accessTokens.clear();
      world.state.refreshTokens.clear();
    },
    reset: () => resetBankWorld(world),
  });
  return {
    ...common,
    fee: (deltaMinor) => common.set({ switch: "fee", deltaMinor }),
    chargeOver: (deltaMinor, scope = {}) => common.set({ switch: "chargeOver", deltaMinor, ...scope }),
    loseRenewal: (scope = {}) => common.set({ switch: "loseRenewal", ...scope }),
    endAccessTokens: () => world.state.accessTokens.clear(),
    sendElsewhere: (wish) => {
      const offer = offerOf(world, { text: "", ownReference: "", ...wish });
      if (typeof offer === "string") throw new RangeError(`practice bank: ${offer}`);
      return send(world, offer);
    },
    issued: () => world.state.issued,
    transfers: () => world.state.transfers.toReversed(),
  };
}

/** The bank's control port: what every site's has, and `GET /transfers`. */
export function answerBankControl(world: BankWorld, request: IncomingMessage): Promise<Answer> {
  const control = createBankControl(world);
  return answerPort<BankSetting>(
    {
      control,
      problemWith: (setting) => problemWithBank(setting, DELAY_MS_MAX),
      withDefaults: (body) => body,
      more: { "GET /transfers": () => json(200, { transfers: control.transfers().map(transferWire) }) },
    },
    request,
  );
}
