import type { CallerFinding, CallerIdentity, CallerJudge, ReceivedRequest } from "@countersign/plugin";
import { err, ok, type Result } from "@countersign/wire";
import { type Caller, withCalledBy } from "../admission/caller.ts";
import type { Refusal } from "../admission/refusal.ts";
import type { Core } from "../core.ts";
import { type AllowedPlaces, publicGuard } from "../egress/allowed.ts";
import type { Egress } from "../egress/egress.ts";
import type { Guard } from "../egress/guard.ts";
import { gatewayCtx } from "../plugin-ctx.ts";
import { type CalledBy, calledBy, foremost } from "./called-by.ts";

// Which operator's agent calls, at the doors for agents: the HTTP API and what bindings serve behind a token. It is asked
// after the token was judged, so that only callers who are known here make the gateway fetch anything or keep a nonce;
// what is found goes with the caller to the task, or refuses the request, and is read by nothing that decides.

/** `record`: who calls is kept with the task. `require`: whoever does not show it is refused besides. */
export type CallerDemand = "record" | "require";

export interface CallersSetting {
  readonly demand: CallerDemand;
  /** Where callers' keys may be fetched: from public addresses by https, for development from this machine too. */
  readonly places?: AllowedPlaces;
}

export interface CallingIdentity {
  /** The caller with what the request shows of who operates it; the refusal where that is demanded and is not shown. */
  identified(caller: Caller, request: ReceivedRequest): Promise<Result<Caller, NotIdentified>>;
  close(): void;
}

export interface NotIdentified {
  readonly refusal: Refusal;
  /** What is wanted, as `Accept-Signature`: RFC 9421 section 5. */
  readonly accepts: string;
}

/** Undefined where nobody asks who calls. */
export function openCallingIdentity(
  core: Core,
  setting: CallersSetting | undefined,
  parts: {
    readonly identities: ReadonlyMap<string, CallerIdentity>;
    readonly makeEgress: (guard: Guard) => Egress;
  },
): CallingIdentity | undefined {
  if (setting === undefined) return undefined;
  const closing = new AbortController();
  // A way out of its own: a stranger names the address, and a destination on a private one is none of theirs (U51).
  const { fetch } = parts.makeEgress(publicGuard(setting.places ?? "https"));
  const judges = [...parts.identities]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, identity]): readonly [string, CallerJudge] => [
      id,
      identity.open({ ...gatewayCtx(core, id, closing.signal), fetch }),
    ]);

  const ask = async (id: string, judge: CallerJudge, request: ReceivedRequest): Promise<CallerFinding> => {
    try {
      return await judge.judge(request);
    } catch (error) {
      core.log.error("caller.judge_failed", { by: id, error: error instanceof Error ? error.name : "unknown" });
      return { kind: "unverified", reason: "failed" };
    }
  };

  return {
    async identified(caller, request) {
      const found = await Promise.all(judges.map(([id, judge]) => ask(id, judge, request)));
      const shown = foremost(found.map((finding) => calledBy(finding, request.method)));
      const refused = setting.demand === "require" && shown.outcome !== "verified";
      note(core, caller, shown, { refused, isRead: request.method === "GET" || request.method === "HEAD" });
      if (!refused) return ok(withCalledBy(caller, shown));
      return err({
        refusal: { reason: "signature_required", problems: [{ pointer: "", rule: RULES[shown.outcome] }] },
        accepts: judges.map(([, judge]) => judge.asks(request)).join(", "),
      });
    },
    close: () => closing.abort(),
  };
}

/** What a caller with a token is told; why exactly is in the log. */
const RULES = {
  unsigned: "not signed",
  invalid: "the signature does not hold, or was used before",
  unverified: "the signature proves too little, or its key could not be found",
} as const;

function note(
  { log }: Pick<Core, "log">,
  { clientId }: Caller,
  shown: CalledBy,
  { refused, isRead }: { readonly refused: boolean; readonly isRead: boolean },
): void {
  const fields = {
    client: clientId,
    outcome: shown.outcome,
    ...(shown.outcome === "verified" ? { agent: shown.agent, key: shown.keyId } : {}),
    ...("reason" in shown ? { reason: shown.reason } : {}),
  };
  // Polling says the same again and again.
  const isOrdinary = isRead && (shown.outcome === "verified" || shown.outcome === "unsigned");
  if (refused) log.warn("caller.refused", fields);
  else if (isOrdinary) log.debug("caller.judged", fields);
  else log.info("caller.judged", fields);
}
