import { M } from "../messages.ts";
import { Problem } from "../parts/page.tsx";
import { Host } from "../parts/value.tsx";
import { isFollowable } from "./returned.ts";

/** The site signs people in at a page of its own, in their own browser: they go there by a link and come back by themselves. */
export function GoThere({ url }: { readonly url: string }) {
  if (!isFollowable(url)) return <Problem text={M.handoff.unavailable} />;
  return (
    <>
      <p>{M.handoff.goExplain}</p>
      <p>
        {M.handoff.goTo}{" "}
        <code>
          <Host origin={new URL(url).origin} />
        </code>
      </p>
      <div className="actions">
        <a className="button primary" href={url} rel="noreferrer">
          {M.handoff.goAction}
        </a>
      </div>
    </>
  );
}
