const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bCriOS\/|\bChrome\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b|\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/**
 * A browser in words a person knows, such as "Firefox on Windows". What a browser says of itself proves nothing: it
 * only helps its owner to recognise it, and no word of its own is ever shown.
 */
export function deviceWords(userAgent: string | undefined): string {
  const first = (list: readonly (readonly [RegExp, string])[]): string | undefined =>
    list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = first(BROWSERS);
  const system = first(SYSTEMS);
  if (browser === undefined && system === undefined) return "Unknown browser";
  return browser === undefined ? `Browser on ${system}` : system === undefined ? browser : `${browser} on ${system}`;
}
