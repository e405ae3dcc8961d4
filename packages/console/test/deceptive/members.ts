import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const VIEWS = fileURLToPath(new URL("../../../gateway/src/trusted/views/", import.meta.url));
const NOISE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g;
const TOKEN = /\b(?:interface|type)\s+(\w+)|\breadonly\s+(\w+)\??\s*:|\bstring\b|[{}]/g;

/**
 * Each member of the trusted contract whose value is a string, a list of strings or a map to them, as
 * `Interface.member.member`: a new one has to be told apart before a page shows it.
 */
export function stringMembers(): readonly string[] {
  const files = readdirSync(VIEWS).map((name) => readFileSync(`${VIEWS}${name}`, "utf8"));
  const source = files.join("\n").replace(NOISE, "");
  const found = new Set<string>();
  /** The path of what the braces around here belong to. */
  const around: string[] = [];
  let last = "";
  for (const [token, declared, member] of source.matchAll(TOKEN)) {
    if (declared !== undefined && around.length === 0) last = declared;
    else if (member !== undefined) last = `${around.at(-1) ?? last.split(".")[0]}.${member}`;
    else if (token === "{") around.push(last);
    else if (token === "}") last = around.pop() ?? "";
    else if (token === "string" && last.includes(".")) found.add(last);
  }
  return [...found].sort();
}
