/**
 * What each string of the trusted contract is. `text`: somebody else's words, or words that came by a plugin; a page shows
 * them through the one renderer alone. `host`: shown in ASCII. `code`: the gateway's own identifiers, times and words of a
 * closed list, which no other party can choose.
 */
export type Kind = "text" | "host" | "code";

const TEXT = new Set(
  "name title label agent account destination_title operation_title purpose note message account_name expected_name device by payees items reason reason_title next_step suggested_label address bank_code sign_in_code outcome media_type zone route routes scheme".split(
    " ",
  ),
);
const HOST = new Set(["origin", "shop_origin", "host", "go_to"]);
const CODE = new Set(
  "account_ref action_digest action_id added_at at began_at changed_from_disclosures client_id confirmed_at consent_ref continuation_ref counts_from created_at credential_id currency decided_at destination disclosures ends_at enrolled_at event_id expires_at finished_at from href id ids issuer key_id last_seen_at last_used_at looked_at next_look_at operation operations pin received_at record_id ref requested_at revoked_at session_ref sha256 step task_id task_reason to tried_elsewhere_at until updated_at usable_from verified_at available_routes counters onward".split(
    " ",
  ),
);
/** Where a name means two things. */
const EXCEPTIONS: Readonly<Record<string, Kind>> = {
  "AccountDetailView.kind": "text",
  "MerchantRecordView.kind": "text",
  "ApprovalView.authority": "text",
  "AuthorityView.authority": "code",
  "TaskEventView.reason": "code",
  "TaskView.reason": "code",
};
/** What a page sends and never shows. */
const SENT = /^(ApprovalDecision|ConsentDecision)\./;

/** Undefined for a member that nobody has told apart yet. */
export function kindOf(path: string): Kind | undefined {
  if (SENT.test(path)) return "code";
  const member = path.split(".").at(-1) ?? "";
  const known = TEXT.has(member) ? "text" : HOST.has(member) ? "host" : CODE.has(member) ? "code" : undefined;
  return EXCEPTIONS[path] ?? known;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** An answer of the gateway with every text of others, and every host, replaced. Records keep theirs: a digest is over them. */
export function replaceTexts(answer: Json, text: string, host: string): Json {
  if (Array.isArray(answer)) return answer.map((each: Json) => replaceTexts(each, text, host));
  if (typeof answer !== "object" || answer === null) return answer;
  const all = answer as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.entries(all).map(([member, value]) => [member, replaced(member, value, all, text, host)]),
  );
}

const RECORDS = new Set(["action", "meaning", "changed_from", "receipt", "bundle", "keys", "result"]);
/** Shown by a word of the console's own for each known value; an unknown one is drawn as a text. */
const WORDS_OF_OURS = new Set(["reason", "route", "routes", "outcome", "kind", "zone"]);

function replaced(
  member: string,
  value: Json,
  siblings: Readonly<Record<string, Json>>,
  text: string,
  host: string,
): Json {
  if (RECORDS.has(member)) return value;
  if (HOST.has(member) && typeof value === "string") return host;
  const isText = TEXT.has(member) || (member === "authority" && "status" in siblings);
  const own = WORDS_OF_OURS.has(member) && !isShownAsItCame(member, siblings);
  if (isText && !own && typeof value === "string") return text;
  if (isText && !own && Array.isArray(value) && value.every((each) => typeof each === "string"))
    return value.map(() => text);
  return replaceTexts(value, text, host);
}

/** A reason of a connection, the outcome of a summary and the kind of a record or a detail are shown as they come. */
function isShownAsItCame(member: string, siblings: Readonly<Record<string, Json>>): boolean {
  if (member === "reason") return "verified_at" in siblings || "next_step" in siblings;
  if (member === "outcome") return "account_seq" in siblings;
  return member === "kind" && ("record_id" in siblings || "ref" in siblings);
}
