/** Markup that is safe to send. Only `html` and `raw` make it. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | undefined | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") {
    return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
  }
  return "markup" in part ? part.markup : part.map((each) => each.markup).join("");
}

/** Joins markup and values; every plain value is escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.map((text, index) => text + markupOf(parts[index])).join("") };
}

/** Markup from this package's own constants, taken as it is. */
export function raw(markup: string): Html {
  return { markup };
}
