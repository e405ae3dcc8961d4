import type { Answer } from "@countersign/plugin";
import { digestOfBytes, type JsonObject } from "@countersign/wire";

const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/;
const MEDIA_TYPE_CHARS_MAX = 127;
const UNKNOWN_TYPE = "application/octet-stream";

/**
 * The site's answer to a submission as a receipt names it: its hash and no more, for the answer itself may hold what
 * nobody needs to see again (REC-2).
 */
export async function answerEvidence(answer: Answer): Promise<JsonObject> {
  const header = answer.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  return {
    kind: "response",
    media_type: MEDIA_TYPE.test(type) && type.length <= MEDIA_TYPE_CHARS_MAX ? type : UNKNOWN_TYPE,
    sha256: await digestOfBytes(answer.body),
    bytes: answer.body.length,
  };
}
