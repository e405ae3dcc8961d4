import { type Verification, verifyBundle } from "@countersign/profile";
import { isJsonObject, type JsonObject, parseJson } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check, checkEqual, NotApplicable } from "../check.ts";
import { ANSWER_BYTES_MAX, RECEIPT_MS } from "../limits.ts";
import type { Desk } from "../stage/desk.ts";
import { until } from "../wait.ts";

/** REC-4 and APR-7: what is handed out stands by itself. */
export const rec4: ConformanceCase = {
  id: "REC-4",
  requirements: ["REC-4", "APR-7"],
  group: "Receipts",
  claim:
    "Receipts verify offline under the published keys, an altered one does not, and none is missing in an account.",
  async run(scene) {
    const { pin, issuer } = scene.stage;
    if (pin === undefined) throw new NotApplicable("no --pin was given, and the driver has none");
    const desk = await scene.desk();
    scene.did("ordered once and read twice, one after another");
    const { taskId, approval } = await desk.pending();
    await desk.approve(approval);
    await desk.reaches(taskId, ["succeeded"]);
    const receipts = [await desk.receipt(taskId)];
    for (let n = 0; n < 2; n += 1) {
      const { taskId: read } = await desk.submit(desk.list());
      await desk.reaches(read, ["succeeded"]);
      receipts.push(await desk.receipt(read));
    }
    const numbers = receipts.map(({ record }) => Number(record["account_seq"]));
    const [first = 0] = numbers;
    checkEqual(numbers, [first, first + 1, first + 2], "the account numbers its receipts without a gap");
    scene.did("verified the holder's bundle of the order offline, with the profile's own verifier");
    const bundle = await bundleOf(desk, taskId);
    check(bundle["receipt"] === receipts[0]?.jws, "the bundle holds the receipt that the agent was given");
    const report = await verifyBundle(JSON.stringify(bundle), { pin, issuer });
    check(report.ok, "the bundle verifies", report.ok ? null : { ...report.reason });
    expectApproval(report.value);
    scene.saw("level", report.value.level);
    scene.did("verified each altered copy, and verified under another issuer");
    for (const [what, copy] of Object.entries(alteredCopies(bundle))) {
      const answer = await verifyBundle(JSON.stringify(copy), { pin, issuer });
      check(!answer.ok, `${what} no longer verifies`);
    }
    const elsewhere = await verifyBundle(JSON.stringify(bundle), { pin, issuer: "https://elsewhere.example" });
    check(!elsewhere.ok, "it is no evidence of another gateway");
  },
};

function expectApproval(report: Verification): void {
  check(report.proves === "approval", "it shows that the account holder approved", { proves: report.proves });
  check(report.receipt === "succeeded", "and what came of it", { receipt: report.receipt });
}

function alteredCopies(bundle: JsonObject): Record<string, JsonObject> {
  const action = bundle["action"];
  const terms = action !== undefined && isJsonObject(action) ? action["terms"] : undefined;
  return {
    "a bundle with a flipped receipt": { ...bundle, receipt: flipped(String(bundle["receipt"])) },
    "a bundle with a flipped approval": { ...bundle, approval: flipped(String(bundle["approval"])) },
    ...(action !== undefined && isJsonObject(action) && terms !== undefined && isJsonObject(terms)
      ? { "a bundle with another total": { ...bundle, action: { ...action, terms: { ...terms, total_minor: 1 } } } }
      : {}),
  };
}

/** Another character in the middle of the payload. */
function flipped(jws: string): string {
  const [head = "", payload = "", signature = ""] = jws.split(".");
  const at = Math.floor(payload.length / 2);
  return `${head}.${payload.slice(0, at)}${payload[at] === "A" ? "B" : "A"}${payload.slice(at + 1)}.${signature}`;
}

async function bundleOf(desk: Desk, taskId: string): Promise<JsonObject> {
  const { last } = await until(
    () => desk.holder.bundle(taskId),
    (text) => text !== undefined,
    RECEIPT_MS,
  );
  check(last !== undefined, "the holder can download the evidence");
  const json = parseJson(last, { maxBytes: ANSWER_BYTES_MAX });
  check(json.ok && isJsonObject(json.value), "it is a JSON document");
  return json.value;
}
