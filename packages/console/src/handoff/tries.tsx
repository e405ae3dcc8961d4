import type { SignInTriesView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Problem } from "../parts/page.tsx";
import { spentText } from "./notice.ts";

/** The lock-out guard's word: before the last try at the site, and when there is none. */
export function Tries({ tries }: { readonly tries: SignInTriesView }) {
  return <Problem text={tries.left === 0 ? spentText(tries.until) : M.handoff.lastTry} />;
}
