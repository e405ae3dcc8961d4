import type { CallerFinding, CallerIdentity, PluginCtx } from "@countersign/plugin";
import { acceptSignature } from "../verify/accept.ts";
import { mayActOn } from "../verify/acting.ts";
import { type Verification, verifiedOf } from "../verify/outcome.ts";
import type { Verifier } from "../verify/verifier.ts";

/** Judges callers by their signatures: one verifier for the gateway's life, so that its keys are kept between requests. */
export function callerIdentity(verifierOf: (ctx: PluginCtx) => Verifier): CallerIdentity {
  return {
    open(ctx) {
      const verifier = verifierOf(ctx);
      return { judge: async (request) => findingOf(await verifier.verify(request)), asks: acceptSignature };
    },
  };
}

/** The signature that says most: one that may be acted on, then one that holds, then the first that does not. */
export function findingOf(verification: Verification): CallerFinding {
  const [first, ...more] = verifiedOf(verification).map((signature) => {
    const acts = mayActOn(signature);
    const found = { kind: "verified", agent: signature.identifier, keyId: signature.keyId } as const;
    return acts.ok ? found : { ...found, weakness: acts.reason };
  });
  if (first !== undefined) return [first, ...more].find((one) => !("weakness" in one)) ?? first;
  const failed = verification.results.find((result) => result.outcome === verification.outcome);
  return failed === undefined || failed.outcome === "verified"
    ? { kind: "unsigned" }
    : { kind: failed.outcome, reason: failed.reason };
}
