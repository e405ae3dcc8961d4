import { toBase64Url } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { brief } from "../stage/desk.ts";

const OTHER_API = "https://elsewhere.example/api";

/** AUT-3: whose token it is, and where it goes. */
export const aut3: ConformanceCase = {
  id: "AUT-3",
  requirements: ["AUT-3", "AUT-4"],
  group: "Consent and authority",
  claim: "Only a token made for this gateway is taken; no agent's token ever reaches the destination.",
  async run(scene) {
    const desk = await scene.desk();
    const [access] = scene.stage.first.holder.agents;
    const own = ((await access.authorization()) ?? "").replace(/^Bearer /i, "");
    const tries: (readonly [string, string | undefined])[] = [
      ["no token", undefined],
      ["garbage", "Bearer nonsense"],
      ["another scheme", "Basic Y29uZm9ybWFuY2U6eA=="],
      ["a token that signs nothing", `Bearer ${unsigned()}`],
      ["its own token twice", `Bearer ${own} ${own}`],
    ];
    const changed = otherAudience(own);
    if (changed !== undefined) tries.push(["its own token rewritten for another audience", `Bearer ${changed}`]);
    for (const [index, secret] of desk.holder.secrets().entries())
      tries.push([`the holder's session ${index + 1} as a token`, `Bearer ${secret}`]);
    for (const [what, authorization] of tries) {
      scene.did(`called with ${what}`);
      const port = scene.portFor({ name: what, authorization: async () => authorization });
      const answer = await port.tasks();
      check(answer.status === 401, `${what} is refused`, brief(answer));
      const submitted = await port.submit(desk.list());
      check(submitted.status === 401, `${what} submits nothing`, brief(submitted));
    }
    if (access.tokenFor !== undefined) {
      scene.did("asked the token endpoint for a token for another API, and called with it");
      const foreign = await access.tokenFor(OTHER_API);
      if (foreign !== "refused") {
        const port = scene.portFor({ name: "another API's", authorization: async () => foreign.authorization });
        const answer = await port.tasks();
        check(answer.status === 401, "a token for another audience is refused", brief(answer));
      }
    }
    scene.did("let a real read reach the shop, which counts tokens that are not its own");
    const { taskId } = await desk.submit(desk.list());
    await desk.reaches(taskId, ["succeeded"]);
    check((await scene.counted()).foreignTokens === 0, "the shop was shown no token but its own");
  },
};

function unsigned(): string {
  const part = (value: object) => toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
  return `${part({ alg: "none", typ: "at+jwt" })}.${part({ sub: "x", exp: 4_102_444_800 })}.`;
}

/** The same token with another audience written into it: its signature no longer fits. */
function otherAudience(token: string): string | undefined {
  const [head, payload, signature] = token.split(".");
  if (head === undefined || payload === undefined || signature === undefined) return undefined;
  const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  if (typeof claims !== "object" || claims === null) return undefined;
  const rewritten = JSON.stringify({ ...claims, aud: OTHER_API });
  return `${head}.${toBase64Url(new TextEncoder().encode(rewritten))}.${signature}`;
}
