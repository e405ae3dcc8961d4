import type { CommitAdapter, Ctx } from "@countersign/plugin";
import {
  type Attempt,
  type Fingerprint,
  type JsonObject,
  type Matched,
  matchOwn,
  type Observed,
  type OwnActs,
  ok,
  SiteTrouble,
} from "@countersign/plugin/site";
import type { ActionRecord } from "@countersign/profile";
import { type BrowserSession, pageCommit } from "@countersign/route-browser";
import type { DraftBody } from "../shared/wish.ts";
import { againAtCheck, draftStands, type FormView, toCheck } from "./check-view.ts";
import { type ListView, listed, type Row, visits } from "./view.ts";

export interface ViewCommit<O> extends OwnActs<Row> {
  readonly operation: string;
  /** Where the page's script sends what is confirmed. */
  readonly path: string;
  readonly body: (ctx: Ctx, params: JsonObject) => Promise<Attempt<DraftBody>>;
  readonly view: FormView<O>;
  /** The button of the last screen. */
  readonly press: RegExp;
  readonly terms: (origin: string, offer: O, params: JsonObject) => Observed<JsonObject>;
  /** The page's script is answered as a program is: the same judgement. */
  readonly recognise: CommitAdapter<JsonObject, JsonObject, JsonObject, BrowserSession>["recognise"];
  readonly list: ListView;
}

/** A commit through the provider's views: its form, its last screen, the one press. */
export function viewCommit<O>(kind: ViewCommit<O>) {
  const find = async (session: BrowserSession, print: Fingerprint, record: ActionRecord): Promise<Matched> => {
    // Newest first, and with the reference at most once; without it every row that is there counts.
    const isOwn = (row: Row) => kind.reference(row) === print.ownReference;
    const rows = await listed(session, kind.list, (seen) => seen.some(isOwn));
    if (!rows.ok) return rows.reason.kind === "sign_in" ? rows.reason : { kind: "unclear", why: rows.reason.why };
    return matchOwn(rows.value, print, record, kind);
  };

  return pageCommit<O, { readonly draft: string }>(
    {
      operation: kind.operation,
      commits: [{ method: "POST", path: kind.path }],
      looking: "Going to the provider's last screen",
      async toLast(ctx, session, { params }, reference) {
        const body = await kind.body(ctx, params);
        if (!body.ok) return body;
        const checked = await toCheck(session, kind.view, body.value, reference);
        if (!checked.ok) return checked;
        const { page, draft, offer } = checked.value;
        const button = page.getByRole("button", { name: kind.press });
        if ((await button.count()) !== 1) throw new SiteTrouble("the provider's last screen has no one button");
        return ok({ page, offer, chosen: { draft }, press: () => button.click() });
      },
      async again(ctx, session, { draft }, { params }) {
        const body = await kind.body(ctx, params);
        return body.ok ? againAtCheck(session, kind.view, body.value, draft) : body;
      },
      draftOf: ({ draft }) => draft,
      terms: kind.terms,
      recognise: kind.recognise,
      async readBack(session, print, record) {
        const first = await find(session, print, record);
        if (first.kind !== "none") return first;
        if (print.draft === undefined) return { kind: "absent" };
        // A list without it is only half of it: a draft that was confirmed says so (STA-4).
        const stands = await draftStands(session, kind.view.checkHeading, print.draft);
        if (!stands.ok) return { kind: "sign_in" };
        if (stands.value === "waits") return { kind: "absent" };
        const late = await find(session, print, record);
        if (late.kind !== "none") return late;
        return stands.value === "over"
          ? { kind: "absent" }
          : { kind: "unclear", why: "no such act, and its last screen is gone" };
      },
    },
    visits,
  );
}
