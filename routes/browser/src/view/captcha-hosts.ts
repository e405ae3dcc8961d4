/** Where CAPTCHAs come from: a host, or a host and the beginning of a path. Its subdomains are meant too. */
const CAPTCHAS: readonly { readonly host: string; readonly path?: string }[] = [
  { host: "hcaptcha.com" },
  { host: "google.com", path: "/recaptcha/" },
  { host: "recaptcha.net", path: "/recaptcha/" },
  { host: "challenges.cloudflare.com" },
  { host: "captcha-delivery.com" },
  { host: "arkoselabs.com" },
  { host: "funcaptcha.com" },
  { host: "geetest.com" },
  { host: "captcha.awswaf.com" },
  { host: "px-cdn.net" },
  { host: "friendlycaptcha.com" },
  { host: "smartcaptcha.yandexcloud.net" },
];

/** Whether an address is that of a known CAPTCHA. */
export function isCaptcha(url: string): boolean {
  if (!/^https?:/.test(url) || !URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  return CAPTCHAS.some(
    ({ host, path = "/" }) => (hostname === host || hostname.endsWith(`.${host}`)) && pathname.startsWith(path),
  );
}
