import type { ApprovalView } from "@countersign/gateway/trusted-contract";
import { M } from "../messages.ts";
import { Go } from "../parts/page.tsx";
import { When } from "../parts/when.tsx";
import { passkeyStanding } from "./approve.ts";

/** Beside the buttons of an approval that takes a passkey: what to do where none can answer. */
export function PasskeyNeeded({ view }: { readonly view: ApprovalView }) {
  if (view.policy !== "passkey") return null;
  const standing = passkeyStanding(view);
  if (standing === "ready") return null;
  const from = view.passkeys?.usable_from;
  return (
    <div className="notice">
      <p>
        {M.passkeys.needed[standing]}
        {standing === "settling" && from !== undefined ? (
          <>
            {" "}
            <When at={from} />.
          </>
        ) : null}
      </p>
      {standing === "unsupported" ? null : (
        <p>
          <Go to="/passkeys">{M.passkeys.needed.manage}</Go>
        </p>
      )}
    </div>
  );
}
