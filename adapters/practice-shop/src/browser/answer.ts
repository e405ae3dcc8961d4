import type { Answer } from "@countersign/plugin";

/** Where a redirect at the shop's own origin leads: its path; undefined for every other answer. */
export function redirectPath(answer: Answer, status: number, origin: string): string | undefined {
  const [location, ...others] = headersNamed(answer, "location");
  if (answer.status !== status || location === undefined || others.length > 0) return undefined;
  const url = URL.canParse(location, origin) ? new URL(location, origin) : undefined;
  return url?.origin === origin ? url.pathname : undefined;
}

/** Whether an answer is the shop's own page with this heading. */
export function isPage(answer: Answer, status: number, heading: string): boolean {
  const [type = ""] = headersNamed(answer, "content-type");
  if (answer.status !== status || !type.startsWith("text/html")) return false;
  return new TextDecoder().decode(answer.body).includes(`<h1>${heading}</h1>`);
}

function headersNamed(answer: Answer, wanted: string): readonly string[] {
  return answer.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}
