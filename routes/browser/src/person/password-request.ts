/** What a member that carries a password is called, in a form, in JSON and in a multipart body. */
const NAMES = "(?:(?:[\\w.\\-\\[\\]]|%5B|%5D)*(?:password|passwd|passwort|passcode)|pwd|pass|pw)";
const MEMBERS = [
  // a=1&user[password]=...
  new RegExp(`(?:^|&)${NAMES}(?:\\]|%5D)?=[^&]`, "i"),
  // {"password": "..."}
  new RegExp(`"${NAMES}"\\s*:\\s*"[^"]`, "i"),
  // Content-Disposition: form-data; name="password"
  new RegExp(`name="${NAMES}"`, "i"),
];

/** Whether a request's body names a password that it carries. Says nothing of what it is. */
export function namesPassword(body: string): boolean {
  return MEMBERS.some((member) => member.test(body));
}

/** Runs in a page: whether what stands in one of its password fields is part of a body that is about to leave. */
export function carriesPassword(body: string): boolean {
  const fields: Element[] = [...document.querySelectorAll("input[type=password]")];
  return fields.some((field) => {
    const value = field instanceof HTMLInputElement ? field.value : "";
    if (value === "") return false;
    const formed = new URLSearchParams([["", value]]).toString().slice(1);
    return [value, formed, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].some((each) =>
      body.includes(each),
    );
  });
}
