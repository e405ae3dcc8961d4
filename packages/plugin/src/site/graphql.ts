import { isJsonObject, parseJson } from "@countersign/wire";

const REQUEST_BYTES_MAX = 64 * 1024;
const REQUEST_DEPTH_MAX = 16;
const MEMBERS: readonly string[] = ["query", "variables"];

/**
 * Whether a body is one GraphQL request whose document is, word for word, one of these. Everything else is not: several
 * requests in one, a document by its hash, a member that the server may read otherwise, what is no strict JSON. Only the
 * variables are free, and they choose no operation.
 */
export function asksDocument(body: string | Uint8Array, documents: readonly string[]): boolean {
  const parsed = parseJson(body, { maxBytes: REQUEST_BYTES_MAX, maxDepth: REQUEST_DEPTH_MAX });
  if (!parsed.ok || !isJsonObject(parsed.value)) return false;
  const { query } = parsed.value;
  return (
    typeof query === "string" &&
    documents.includes(query) &&
    Object.keys(parsed.value).every((member) => MEMBERS.includes(member))
  );
}
