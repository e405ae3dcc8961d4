/** A whole HTTP answer as data. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What goes to the wire: an answer, half of one and then a cut, or no byte at all. */
export type WireReply = Answer | { readonly kind: "half"; readonly answer: Answer } | { readonly kind: "drop" };

/** What a handler decides. `committed` lets the fault switches put something else in place of the answer. */
export type Reply =
  | WireReply
  | {
      readonly kind: "committed";
      /** One of the site's things that can be committed. */
      readonly commit: string;
      readonly answer: Answer;
      /** The page or document that tells of the commit in full: what a cut answer is half of. */
      readonly landing: () => Answer;
    };

const COMMON = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

/** The policy of a site's pages. @param formAction where their forms may lead, redirects of an answer included. */
export function pagePolicy(formAction: readonly string[] = ["'self'"]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action ${formAction.join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const PAGE_POLICY = pagePolicy();

export function page(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    kind: "answer",
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": PAGE_POLICY,
      "referrer-policy": "same-origin",
      ...COMMON,
      ...headers,
    },
    body,
  };
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  const body = `${JSON.stringify(value)}\n`;
  return {
    kind: "answer",
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...COMMON, ...headers },
    body,
  };
}

export function redirect(status: 302 | 303, location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: "answer", status, headers: { location, ...COMMON, ...headers }, body: "" };
}

export function asset(type: string, body: string): Answer {
  return {
    kind: "answer",
    status: 200,
    headers: { "content-type": type, "cache-control": "max-age=300", "x-content-type-options": "nosniff" },
    body,
  };
}

/** Does this answer carry a page? */
export function isPage(answer: Answer): boolean {
  return answer.headers["content-type"]?.startsWith("text/html") ?? false;
}
