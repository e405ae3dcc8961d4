import type { PasskeysView } from "@countersign/gateway/trusted-contract";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Page, Show } from "../parts/page.tsx";
import { canUsePasskeys } from "../passkeys/ask.ts";
import { NewPasskey } from "../passkeys/new-passkey.tsx";
import { useLoad } from "../server/use-load.ts";

/** After the link: a passkey for next time. Leaving it for later is one press, and the page says what that costs. */
export function FirstPasskey({ onDone }: { readonly onDone: () => void }) {
  const loaded = useLoad<PasskeysView>("/passkeys");
  return (
    <Page title={M.firstPasskey.title}>
      <Show loaded={loaded}>
        {(view) => (
          <section className="card">
            <p>{M.firstPasskey.text}</p>
            <p>{view.new_passkey === "counts_at_once" ? M.firstPasskey.atOnce : M.firstPasskey.recovery}</p>
            {canUsePasskeys() ? (
              <NewPasskey suggested={view.suggested_label} onDone={onDone} />
            ) : (
              <p className="notice">{M.passkeys.trouble.unsupported}</p>
            )}
            <div className="apart">
              <p className="quiet">
                {view.passkeys.length === 0 ? M.firstPasskey.laterCosts : M.firstPasskey.laterCostsLess}
              </p>
              <Button className="button plain" onPress={onDone}>
                {M.firstPasskey.later}
              </Button>
            </div>
          </section>
        )}
      </Show>
    </Page>
  );
}
