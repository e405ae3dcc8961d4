import { err, ok, type Result } from "@countersign/wire";
import { isAlias, LineCounter, parseDocument, visit } from "yaml";

/**
 * One YAML 1.2 document as plain data, strictly: a member twice, a tag, an anchor, an alias, a merge and a second
 * document are refused, so that what a person reads in the file is what it says. The reason is a place and a rule.
 */
export function readYaml(text: string): Result<unknown, string> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: "1.2",
    schema: "core",
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    merge: false,
    customTags: [],
    prettyErrors: false,
    // Under "silent" a second document would go by without a word.
    logLevel: "error",
    lineCounter: lines,
  });
  const [problem] = [...document.errors, ...document.warnings];
  // The parser's own words may quote the file; its code says enough.
  if (problem !== undefined)
    return err(`line ${lines.linePos(problem.pos[0]).line}: ${WORDS[problem.code] ?? "this is not YAML 1.2"}`);
  let reference: number | undefined;
  visit(document, {
    Node(_key, node) {
      if (isAlias(node) || ("anchor" in node && node.anchor !== undefined)) reference ??= node.range?.[0] ?? 0;
    },
  });
  if (reference !== undefined)
    return err(`line ${lines.linePos(reference).line}: anchors and aliases are not read here; write it out`);
  return ok(document.toJS({ maxAliasCount: 0 }));
}

const WORDS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: "the same member twice",
  MULTIPLE_DOCS: "a second document",
  TAG_RESOLVE_FAILED: "tags are not read here",
  NON_STRING_KEY: "a member's name is text",
  TAB_AS_INDENT: "a tab where spaces must stand",
};
