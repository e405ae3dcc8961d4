import { type Html, html } from "./html.ts";

const DAY = new Intl.DateTimeFormat("en-IE", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const MINUTE = new Intl.DateTimeFormat("en-IE", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
});

/** A day a person reads, with the instant a program reads. */
export function day(atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${DAY.format(atMs)}</time>`;
}

export function moment(atMs: number): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${MINUTE.format(atMs)} UTC</time>`;
}

export function csrfField(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${token}">`;
}

/** A message a screen reader announces. */
export function alert(text: string): Html {
  return html`<p role="alert" class="alert">${text}</p>`;
}
