import type { TryKind } from "@countersign/plugin";

/** What a member that carries a password, or a one-time code, is called: in a form, in JSON and in a multipart body. */
const PREFIX = "(?:[\\w.\\-\\[\\]]|%5B|%5D)*";
const NAMES: Readonly<Record<TryKind, string>> = {
  password: `(?:${PREFIX}(?:password|passwd|passwort|passcode)|pwd|pass|pw)`,
  // Of the short names only the whole one: a postal code or a country's is no try.
  code: `(?:${PREFIX}(?:otp|totp|(?:one[_-]?time|verification|security|2fa|mfa|auth(?:entication)?)[_-]?(?:code|token|pin))|code|pin)`,
};
const KINDS = Object.keys(NAMES) as readonly TryKind[];
const MEMBERS = new Map(
  KINDS.map((kind) => [
    kind,
    [
      // a=1&user[password]=...
      new RegExp(`(?:^|&)${NAMES[kind]}(?:\\]|%5D)?=[^&]`, "i"),
      // {"password": "..."}
      new RegExp(`"${NAMES[kind]}"\\s*:\\s*(?:"[^"]|\\d)`, "i"),
      // Content-Disposition: form-data; name="password"
      new RegExp(`name="${NAMES[kind]}"`, "i"),
    ],
  ]),
);

/** What a request's body names that it tries. Says nothing of what it is. */
export function namedTries(body: string): readonly TryKind[] {
  return KINDS.filter((kind) => MEMBERS.get(kind)?.some((member) => member.test(body)));
}

/** Runs in a page: of what stands in its fields for passwords and for codes, which is part of a body about to leave. */
export function carriedTries(body: string): readonly TryKind[] {
  const carried = (selector: string, fits: (form: string) => boolean): boolean =>
    [...document.querySelectorAll(selector)].some((field) => {
      const value = field instanceof HTMLInputElement ? field.value : "";
      if (value === "") return false;
      const formed = new URLSearchParams([["", value]]).toString().slice(1);
      return [value, formed, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].some(fits);
    });
  // A code is short: as a part of a longer number it says nothing.
  const alone = (form: string): boolean =>
    form.length >= 4 &&
    body
      .split(form)
      .some((part, at, all) => at + 1 < all.length && !/\w$/.test(part) && !/^\w/.test(all[at + 1] ?? ""));
  return [
    ...(carried("input[type=password]", (form) => body.includes(form)) ? (["password"] as const) : []),
    ...(carried('input[autocomplete~="one-time-code"]', alone) ? (["code"] as const) : []),
  ];
}
