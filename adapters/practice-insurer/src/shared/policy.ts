import type { JsonObject, Read } from "@countersign/plugin/site";

/** A policy as the insurer shows it, by either route. */
export interface PolicyShown {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly kind: "home" | "car";
  readonly insured: string;
  readonly startsOn: string;
  readonly endsOn: string;
  readonly currency: string;
  readonly premiumMinor: number;
  readonly premiumPer: "month" | "year";
  /** Of each claim, whatever the cover. */
  readonly excessMinor: number;
  readonly covers: readonly {
    readonly title: string;
    readonly limitMinor: number;
    readonly usedMinor: number;
    readonly percent: number;
    /** Empty when there is none. */
    readonly note: string;
  }[];
}

/** All policies, or the one that was asked for. */
export function policiesResult(all: readonly PolicyShown[], params: JsonObject): Read<JsonObject> {
  const wanted = params["policy_ref"];
  const policies = all.filter(({ id }) => wanted === undefined || id === wanted);
  if (wanted !== undefined && policies.length === 0) return { kind: "gap", why: "the insurer has no such policy here" };
  return {
    kind: "done",
    result: {
      policies: policies.map((policy) => ({
        policy_ref: policy.id,
        number: policy.number,
        name: policy.name,
        kind: policy.kind,
        insured: policy.insured,
        starts_on: policy.startsOn,
        ends_on: policy.endsOn,
        currency: policy.currency,
        premium_minor: policy.premiumMinor,
        premium_period: policy.premiumPer,
        benefits: policy.covers.map((cover) => ({
          title: cover.title,
          limit_minor: cover.limitMinor,
          used_minor: cover.usedMinor,
          deductible_minor: policy.excessMinor,
          covered_percent: cover.percent,
          ...(cover.note === "" ? {} : { note: cover.note }),
        })),
      })),
    },
  };
}
