/**
 * What comes instead of a site's own answer: an HTTP status with a plain HTML error page (as a proxy in front would
 * send it), the confirmation cut in half, the sign-in page with status 200, or a redirect to it.
 */
export type FaultAnswer = number | "half_body" | "sign_in_page" | "sign_in_redirect";

/** `times`: how often the switch acts before it turns itself off; absent means until reset. `on`: absent means every commit. */
export interface CommitFault<K extends string = string> {
  readonly on?: K;
  readonly times?: number;
}

export type DelayAt = "before_commit" | "after_commit" | "page";

/** The faults that every practice site can play. `K` are the things that can be committed there. */
export type CommonSetting<K extends string = string> =
  /** Commit, then destroy the socket without a byte of answer. */
  | ({ readonly switch: "commitThenDrop" } & CommitFault<K>)
  /** Commit, then give this answer instead of the site's own. */
  | ({ readonly switch: "commitThen"; readonly answer: FaultAnswer } & CommitFault<K>)
  /** Destroy the socket when the submission has arrived, committing nothing. */
  | ({ readonly switch: "dropBeforeCommit" } & CommitFault<K>)
  /** Commit nothing and give this answer. */
  | ({ readonly switch: "withoutCommitThen"; readonly answer: FaultAnswer } & CommitFault<K>)
  /** Refuse in the site's own words, committing nothing. */
  | ({ readonly switch: "refuse" } & CommitFault<K>)
  /** Wait: before the commit, between commit and answer, or before any page or API answer that is no commit. */
  | ({ readonly switch: "delay"; readonly ms: number; readonly at: DelayAt } & CommitFault<K>)
  /** Every page is cut in the middle; API answers are whole. */
  | { readonly switch: "halfPage"; readonly times?: number }
  /** The pages that tell what was done (and their API twins) answer 503. */
  | { readonly switch: "readBack"; readonly times?: number };

interface Where {
  readonly commit?: string;
  readonly at?: DelayAt;
}

export interface Switches<S extends { readonly switch: string }> {
  /** Turns a switch on, replacing an earlier setting for the same target. */
  readonly set: (setting: S) => void;
  readonly clear: (name: string) => void;
  readonly reset: () => void;
  /** What is on now, with the remaining `times`. */
  readonly list: () => readonly S[];
  /** Uses the switch once, if it is on for this commit. */
  readonly take: <N extends S["switch"]>(name: N, where?: Where) => Extract<S, { switch: N }> | undefined;
}

/** What the machinery that all sites share may use: the faults that all sites have. */
export type CommonFaults = Pick<Switches<CommonSetting>, "take">;

/** The same switches, seen as those that every site has: a site's own settings are the common ones and more. */
export function commonFaults(switches: {
  readonly take: (name: never, where?: Where) => { readonly switch: string } | undefined;
}): CommonFaults {
  return switches as unknown as CommonFaults;
}

function applies(setting: object, where: Where): boolean {
  if ("on" in setting && setting.on !== undefined && setting.on !== where.commit) return false;
  return !("at" in setting) || setting.at === where.at;
}

/** What tells one setting of a switch from another: `on`, `at`, and what a site's own settings name. */
function targetOf(setting: { readonly switch: string }): string {
  const {
    switch: name,
    on,
    at,
    sku,
  } = setting as {
    readonly switch: string;
    readonly on?: string;
    readonly at?: string;
    readonly sku?: string;
  };
  return [name, on, at, sku].join("|");
}

export function createSwitches<S extends { readonly switch: string }>(): Switches<S> {
  const settings = new Map<string, S>();
  const remaining = new Map<string, number>();

  const clearTarget = (target: string): void => {
    settings.delete(target);
    remaining.delete(target);
  };

  return {
    set: (setting) => {
      const target = targetOf(setting);
      clearTarget(target);
      settings.set(target, setting);
      if ("times" in setting && typeof setting.times === "number") remaining.set(target, setting.times);
    },
    clear: (name) => {
      for (const [target, setting] of settings) if (setting.switch === name) clearTarget(target);
    },
    reset: () => {
      settings.clear();
      remaining.clear();
    },
    list: () =>
      [...settings].map(([target, setting]) => {
        const times = remaining.get(target);
        return times === undefined ? setting : { ...setting, times };
      }),
    take: <N extends S["switch"]>(name: N, where: Where = {}) => {
      for (const [target, setting] of settings) {
        if (setting.switch !== name || !applies(setting, where)) continue;
        const times = remaining.get(target);
        if (times !== undefined) {
          if (times <= 1) clearTarget(target);
          else remaining.set(target, times - 1);
        }
        return setting as Extract<S, { switch: N }>;
      }
      return undefined;
    },
  };
}

/** Why a setting of a common switch is none; undefined when it is one. */
export function problemWithCommon(
  setting: { readonly switch: string },
  commits: readonly string[],
  delayMsMax: number,
): string | undefined | "not_common" {
  const isCount = (value: unknown) => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1);
  if ("times" in setting && !isCount(setting.times)) return "times must be a whole number from 1";
  if ("on" in setting && setting.on !== undefined && !commits.includes(String(setting.on)))
    return `on must be ${commits.join(" or ")}`;
  const common = setting as CommonSetting;
  switch (common.switch) {
    case "commitThen":
    case "withoutCommitThen": {
      const { answer } = common;
      if (typeof answer === "number") {
        const isError = Number.isSafeInteger(answer) && answer >= 400 && answer <= 599;
        return isError ? undefined : "a status must be from 400 to 599";
      }
      return ["half_body", "sign_in_page", "sign_in_redirect"].includes(answer) ? undefined : "unknown answer";
    }
    case "delay": {
      const known = ["before_commit", "after_commit", "page"].includes(common.at);
      return known && common.ms >= 0 && common.ms <= delayMsMax ? undefined : "ms or at is out of range";
    }
    case "commitThenDrop":
    case "dropBeforeCommit":
    case "refuse":
    case "readBack":
    case "halfPage":
      return undefined;
    default:
      return "not_common";
  }
}
