import type { CallersSetting, DestinationSetting } from "@countersign/gateway";
import { isAgentOrigin } from "@countersign/web-bot-auth/plugin";
import { err, isLoopbackHost, ok, type Result } from "@countersign/wire";
import { z } from "zod";

const id = z.string().min(1).max(40);

/** Whether destinations are told who is calling (docs/web-bot-auth.md). */
export const identitySchema = z.strictObject({
  /** "on": every request to a destination is signed, and the keys stand at the issuer's well-known directory. */
  sign: z.enum(["on", "off"]).default("off"),
  /** Destinations that are not told, by their id: at all, or where their pages are used in the browser. */
  destinations: z.record(id, z.enum(["off", "not_in_browser"])).default({}),
  /** Destinations, by their id, that read Visa's Trusted Agent Protocol: they are told that an agent is browsing. */
  tapMerchants: z.array(id).max(200).default([]),
  /** Revisions of the draft that requests are signed for; a signature for each. */
  revisions: z
    .array(z.enum(["ietf-00", "ietf-01-direct"]))
    .min(1)
    .max(2)
    .default(["ietf-00"]),
  /** Whether agents that call show who operates them: it is kept with their tasks, or demanded as well. */
  callers: z.enum(["off", "record", "require"]).default("off"),
  /** Where callers' keys may be fetched: from public addresses by https, for development from this machine too. */
  callersFrom: z.enum(["https", "loopback_too"]).default("https"),
});
export type IdentitySettings = z.infer<typeof identitySchema>;

/** What signing takes, as the plugins and the routes take it. */
export interface IdentitySetup {
  /** The issuer: where the directory of keys stands. */
  readonly agent: string;
  readonly plainHttp: "refused" | "loopback";
  readonly revisions: IdentitySettings["revisions"];
  /** Origins that are not told. */
  readonly unsigned: readonly string[];
  /** Destinations, by their id, whose pages the browser asks for without a word. */
  readonly notInBrowser: readonly string[];
  /** Origins that read TAP. */
  readonly merchants: readonly string[];
}

/** What asking callers takes, as the gateway and the plugin that judges them take it. */
export interface CallersSetup extends CallersSetting {
  readonly plainHttp: "refused" | "loopback";
}

/** Undefined where nobody is asked. */
export function readCallers(
  { callers, callersFrom }: Pick<IdentitySettings, "callers" | "callersFrom">,
  issuer: string,
): CallersSetup | undefined {
  if (callers === "off") return undefined;
  // A gateway at an address of this machine is called over plain HTTP, and from nowhere else.
  const here = URL.canParse(issuer) && isLoopbackHost(new URL(issuer).hostname);
  const plainHttp = here || callersFrom === "loopback_too" ? "loopback" : "refused";
  return { demand: callers, places: callersFrom, plainHttp };
}

/** Undefined where nothing is signed. The reason is a sentence that names member and rule. */
export function readIdentity(
  settings: IdentitySettings,
  { issuer, destinations }: { readonly issuer: string; readonly destinations: readonly DestinationSetting[] },
): Result<IdentitySetup | undefined, string> {
  const named = [...Object.keys(settings.destinations), ...settings.tapMerchants];
  const unknown = named.find((one) => !destinations.some((destination) => destination.id === one));
  if (unknown !== undefined) return err(`identity: there is no destination ${unknown}`);
  if (settings.sign === "off") return ok(undefined);
  const plainHttp = URL.canParse(issuer) && isLoopbackHost(new URL(issuer).hostname) ? "loopback" : "refused";
  if (!isAgentOrigin(issuer, plainHttp))
    return err(
      "identity.sign: others look up the keys at the issuer, so it has to be https, under a name, at port 443",
    );
  const merchants = destinations.filter((one) => settings.tapMerchants.includes(one.id)).flatMap(originsOf);
  const plain = merchants.find((origin) => !origin.startsWith("https:"));
  if (plain !== undefined) return err(`identity.tapMerchants: ${plain} is not https, and TAP asks for it`);
  const by = (how: "off" | "not_in_browser") => destinations.filter((one) => settings.destinations[one.id] === how);
  return ok({
    agent: issuer,
    plainHttp,
    revisions: settings.revisions,
    unsigned: by("off").flatMap((one) => [...originsOf(one), ...(one.alsoOrigins ?? [])]),
    notInBrowser: [...by("off"), ...by("not_in_browser")].map((one) => one.id),
    merchants,
  });
}

function originsOf(destination: DestinationSetting): readonly string[] {
  return [...new Set([destination.origin, ...Object.values(destination.originByRoute ?? {})])];
}
