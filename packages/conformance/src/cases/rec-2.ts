import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { PRACTICE_PERSON, PRACTICE_PERSONAL } from "../shop/practice.ts";

/** Compact JWS parts, which hide what they say from a plain search. */
const SIGNED_PART = /eyJ[\w-]+/g;

/** REC-2 and AUT-4: everything that agents were sent in the whole run, searched. */
export const rec2: ConformanceCase = {
  id: "REC-2",
  requirements: ["REC-2", "AUT-4", "MFA-1"],
  group: "Receipts",
  claim: "No receipt and nothing else that an agent is sent holds a password, a code, a session, or personal text.",
  async run(scene) {
    const desk = await scene.desk();
    scene.did("the holder signed in at the shop anew, ordered and read, while all that the agent was sent was kept");
    const account = await scene.stage.first.connect();
    const code = await scene.shop.currentCode();
    const { taskId, approval } = await desk.pending();
    await desk.approve(approval);
    await desk.reaches(taskId, ["succeeded"]);
    await desk.receipt(taskId);
    await desk.trail(taskId);
    await desk.port.result(taskId);
    await desk.port.accounts();
    await desk.port.capabilities(account.accountRef);
    const { texts } = scene.stage.transcript;
    const all = [...texts, ...texts.flatMap(signedParts)].join("\n");
    scene.saw("searched", { answers: texts.length, characters: all.length });
    const holders = [scene.stage.first, scene.stage.second].flatMap((actor) => actor?.holder.secrets() ?? []);
    const forbidden: readonly (readonly [string, string])[] = [
      ["the password at the shop", PRACTICE_PERSON.password],
      ...holders.map((secret) => ["a holder's session", secret] as const),
      ...PRACTICE_PERSONAL.map((text) => ["the delivery address", text] as const),
    ];
    for (const [what, value] of forbidden) check(!all.includes(value), `${what} is in nothing that an agent was sent`);
    check(!new RegExp(`(?<!\\d)${code}(?!\\d)`).test(all), "the one-time code is in nothing that an agent was sent");
  },
};

function signedParts(text: string): readonly string[] {
  return (text.match(SIGNED_PART) ?? []).map((part) => Buffer.from(part, "base64url").toString("utf8"));
}
