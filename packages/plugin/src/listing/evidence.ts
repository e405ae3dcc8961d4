import type { Application } from "@countersign/profile";

const NAMED_MAX = 5;

/** By what an application shows that it uses a protocol, in one sentence; by the protocol's id. */
const EVIDENCE: ReadonlyMap<string, (application: Application) => string | undefined> = new Map([
  ["mcp", ofMcp],
  ["pap", ofPap],
  ["pact", ofPact],
  ["a2a", ofA2a],
]);

/** The sentence for each protocol that the application uses; nothing for the others. */
export function evidenceOf(application: Application): ReadonlyMap<string, string> {
  const said = [...EVIDENCE].flatMap(([id, say]): readonly (readonly [string, string])[] => {
    const sentence = say(application);
    return sentence === undefined ? [] : [[id, sentence]];
  });
  return new Map(said);
}

function ofMcp({ mcp }: Application): string | undefined {
  const connections = mcp?.connections ?? [];
  if (connections.length === 0) return undefined;
  return `It reaches ${counted(connections.length, "connection")}: ${inWords(connections.map((c) => c.name))}.`;
}

function ofPap({ pap }: Application): string | undefined {
  const { companies = [], company } = pap ?? {};
  const at = companies.length === 0 ? undefined : inWords(companies);
  if (company === undefined) return at === undefined ? undefined : `It is a personal agent at ${at}.`;
  return at === undefined
    ? `It is the company ${company}.`
    : `It is the company ${company}, and a personal agent at ${at}.`;
}

function ofPact({ pact }: Application): string | undefined {
  const brands = pact?.brands ?? [];
  if (brands.length === 0) return undefined;
  return `It is a personal agent at ${counted(brands.length, "Brand")}: ${inWords(brands.map((b) => b.name))}.`;
}

function ofA2a({ a2a }: Application): string | undefined {
  const extensions = a2a?.extensions ?? [];
  if (extensions.length === 0) return undefined;
  const which = extensions.length === 1 ? "this card extension" : "these card extensions";
  return `It publishes ${which}: ${inWords(extensions.map((e) => e.uri))}.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** One sentence stays one that can be read: beyond the first few, how many more. */
function inWords(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX);
  const more = names.length - shown.length;
  const list = more > 0 ? [...shown, `${more} more`] : shown;
  return list.length < 2 ? (list[0] ?? "") : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
}
