import { err, ok, type Result } from "@countersign/wire";
import type { DraftProfile, PlainHttp } from "../profile.ts";
import type { Component } from "../signatures/base.ts";
import { type AgentPlace, type Discovery, directoryDiscovery, directPlace, wellKnownPlace } from "./discovery.ts";
import type { AgentMember, SignatureAgent } from "./header.ts";

/** What of the drafts is accepted beside the profile's own rule. */
export interface AgentRules {
  readonly profile: DraftProfile;
  /** The types that are supported (`ietf-00` only); one that is missing here makes its members ignored. */
  readonly discoveries: readonly Discovery[];
  /** `read`: the single String of drafts up to architecture-03 as well. */
  readonly legacyString: "refused" | "read";
  /** `read`: the well-known URL itself as a member of the default type, which `ietf-00` strictly ignores. */
  readonly wellKnownUrl: "ignored" | "read";
  readonly plainHttp: PlainHttp;
}

export type AgentProblem =
  /** The header is there and the signature does not cover it: anybody on the way may have put it there. */
  "agent_not_covered" | "agent_ambiguous" | "agent_member_missing" | "agent_legacy" | "agent_scheme";

/** Whose member a signature is attributed to; without a place, the member says nothing that can be used. */
export interface AttributedMember {
  readonly key: string;
  /** The key is not the signature's label, as in the drafts' own vectors. */
  readonly labelMismatch: boolean;
  readonly place?: AgentPlace;
}

/** Which member belongs to which signature: the one that it covers, never one that it does not. No I/O. */
export function attribute(
  agent: SignatureAgent,
  signature: { readonly label: string; readonly components: readonly Component[] },
  rules: AgentRules,
): Result<AttributedMember, AgentProblem> {
  const covering = signature.components.filter((c) => c.name === "signature-agent" && c.of === undefined);
  if (covering.length === 0) return err("agent_not_covered");
  const keys = covering.flatMap((c) => (c.key === undefined ? [] : [c.key]));
  if (agent.form === "string") return legacyMember(agent.value, keys, signature.label, rules);
  const key = keys.length === 0 ? onlyMember(agent.members, rules) : keyOf(keys, signature.label);
  if (!key.ok) return key;
  const member = agent.members.get(key.value);
  if (member === undefined) return err("agent_member_missing");
  return placed(member, keys.length > 0 && key.value !== signature.label, rules);
}

function keyOf(keys: readonly string[], label: string): Result<string, AgentProblem> {
  if (keys.includes(label)) return ok(label);
  const [only, ...more] = keys;
  return only === undefined || more.length > 0 ? err("agent_ambiguous") : ok(only);
}

/** A dictionary that is covered as a whole: attributable only when there is one member, and an older form of signing. */
function onlyMember(members: ReadonlyMap<string, AgentMember>, rules: AgentRules): Result<string, AgentProblem> {
  const [only, ...more] = members.keys();
  if (only === undefined || more.length > 0) return err("agent_ambiguous");
  return rules.legacyString === "read" ? ok(only) : err("agent_legacy");
}

function legacyMember(
  value: string,
  keys: readonly string[],
  label: string,
  rules: AgentRules,
): Result<AttributedMember, AgentProblem> {
  if (rules.legacyString === "refused" || keys.length > 0) return err("agent_legacy");
  return placed({ key: label, value, parameters: 0 }, false, rules);
}

function placed(
  member: AgentMember,
  labelMismatch: boolean,
  rules: AgentRules,
): Result<AttributedMember, AgentProblem> {
  const found = { key: member.key, labelMismatch };
  const { value } = member;
  if (value === undefined) return ok(found);
  const answer = rules.profile === "ietf-00" ? typed(member, value, rules) : untyped(member, value, rules);
  if (answer.kind === "scheme") return err("agent_scheme");
  return ok(answer.kind === "place" ? { ...found, place: answer.place } : found);
}

function typed({ type = directoryDiscovery.type }: AgentMember, value: string, rules: AgentRules) {
  const discovery = rules.discoveries.find((one) => one.type === type);
  if (discovery === undefined) return { kind: "ignored" } as const;
  const answer = discovery.place(value, rules.plainHttp);
  const again = answer.kind === "ignored" && type === directoryDiscovery.type && rules.wellKnownUrl === "read";
  return again ? wellKnownPlace(value, rules.plainHttp) : answer;
}

function untyped({ parameters }: AgentMember, value: string, rules: AgentRules) {
  return parameters > 0 ? ({ kind: "ignored" } as const) : directPlace(value, rules.plainHttp);
}
