import type { Destination, ViewNotice } from "@countersign/plugin";
import type { Page, Request, Response } from "playwright-core";
import { isCaptcha } from "./captcha-hosts.ts";
import { locationOf } from "./location.ts";

type Notice = Omit<ViewNotice, "type">;

export interface Signs {
  tell(notice: Notice): void;
  /** What became of the page's last navigation: undefined when it begins, and where there is nothing to say. */
  arriving(notice: Notice | undefined): void;
}

/** What happens in a page that its picture cannot say: refused files, pages that did not come, checks for robots. */
export function watchSigns(
  page: Page,
  destination: Pick<Destination, "origin" | "alsoOrigins">,
  { tell, arriving }: Signs,
): void {
  page.on("request", (request) => isPage(request, page) && arriving(undefined));
  page.on("crash", () => tell({ code: "crashed" }));
  page.on("filechooser", () => tell({ code: "file_refused" }));
  page.on("download", () => tell({ code: "download_refused" }));
  page.on("frameattached", (frame) => isCaptcha(frame.url()) && tell({ code: "captcha" }));
  page.on("framenavigated", (frame) => isCaptcha(frame.url()) && tell({ code: "captcha" }));
  page.on("requestfailed", (request) => {
    if (isCaptcha(request.url())) return tell({ code: "captcha_refused", host: new URL(request.url()).host });
    if (isPage(request, page)) arriving(failure(request, destination));
  });
  page.on("response", (response) => {
    if (isPage(response.request(), page)) arriving(answer(response));
  });
}

function isPage(request: Request, page: Page): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === page.mainFrame();
  } catch {
    // A request without a frame: a worker's.
    return false;
  }
}

function failure(request: Request, destination: Pick<Destination, "origin" | "alsoOrigins">): Notice | undefined {
  const { trusted, origin } = locationOf(request.url(), destination);
  const why = request.failure()?.errorText ?? "";
  // The door has refused it, and has said why; a page that was left before it came is no failure.
  if (/ERR_(BLOCKED_BY_CLIENT|ABORTED)/.test(why)) return undefined;
  if (!trusted) return { code: "host_refused", host: origin.replace(/^[a-z]+:\/\//, "") };
  if (/ERR_(INVALID_AUTH_CREDENTIALS|UNSUPPORTED_AUTH_SCHEME)/.test(why)) return { code: "password_window" };
  if (/ERR_(CERT|SSL)_/.test(why)) return { code: "certificate" };
  return { code: "unreachable" };
}

function answer(response: Response): Notice | undefined {
  if (response.status() === 429) return { code: "too_often" };
  // The browser's own window for a name and a password is in no picture; Chromium shows the site's refusal instead.
  if (response.status() === 401 && /^(basic|digest|ntlm|negotiate)/i.test(response.headers()["www-authenticate"] ?? ""))
    return { code: "password_window" };
  return undefined;
}
