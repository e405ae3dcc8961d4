import type { LiveServerMessage } from "@countersign/gateway/trusted-contract";
import { Button } from "react-aria-components";
import { M } from "../messages.ts";
import { Problem } from "../parts/page.tsx";
import { Host, Text } from "../parts/value.tsx";

/** Where the remote page really is, in ASCII, with a warning once it has left the destination (U31). */
export function AddressBar(props: {
  readonly place: Extract<LiveServerMessage, { type: "location" }> | undefined;
  readonly onBack: () => void;
  readonly onReload: () => void;
}) {
  const { place } = props;
  return (
    <>
      <div className="bar">
        <Button className="button plain small" onPress={props.onBack}>
          {M.handoff.back}
        </Button>
        <Button className="button plain small" onPress={props.onReload}>
          {M.handoff.reload}
        </Button>
        <p
          className={place?.trusted === false ? "address outside" : "address"}
          role="status"
          aria-label={M.handoff.address}
        >
          {place === undefined ? (
            <span>…</span>
          ) : place.origin === "null" ? (
            <span className="quiet">{M.handoff.noPage}</span>
          ) : (
            <>
              <code>
                <Host origin={place.origin} />
              </code>
              <span className="quiet">
                <Text text={place.path} />
              </span>
            </>
          )}
        </p>
      </div>
      {place?.trusted === false && place.origin !== "null" ? <Problem text={M.handoff.outside} /> : null}
    </>
  );
}
