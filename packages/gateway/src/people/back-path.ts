import { BACK_PATH_CHARS_MAX } from "../limits.ts";

const PATH = /^\/(?![/\\])[A-Za-z0-9_.~:/-]*$/;

/**
 * A path of the console to go back to after signing in; `/` for whatever is none. A path and nothing else: no host can
 * hide in it, neither behind two slashes nor behind a backslash, and no query travels.
 */
export function backPath(text: string): string {
  return text.length <= BACK_PATH_CHARS_MAX && PATH.test(text) ? text : "/";
}
