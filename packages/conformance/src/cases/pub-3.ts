import type { JsonObject } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import type { Door } from "../holder/holder.ts";
import { call } from "../http.ts";
import { brief } from "../stage/desk.ts";
import type { Scene } from "../stage/scene.ts";
import { sleep } from "../wait.ts";

const SETTLED_MS = 1_500;
const ELSEWHERE = "https://elsewhere.example";

/** PUB-3: everything that an agent can send, in place of the holder's decision. */
export const pub3: ConformanceCase = {
  id: "PUB-3",
  requirements: ["PUB-3", "APR-3", "AUT-2"],
  group: "Published behaviours",
  claim: "No flag, path, token or page of anybody else's counts as the account holder's decision.",
  async run(scene) {
    const desk = await scene.desk();
    const { taskId, approval } = await desk.pending();
    const own = (await scene.stage.first.holder.agents[0].authorization()) ?? "";
    scene.did("the agent wrote its own approval into the request");
    for (const flag of [{ approved: true }, { approval_ref: "appr_forged" }] satisfies JsonObject[]) {
      const answer = await desk.port.submit({ ...desk.order(), ...flag });
      check(answer.status === 400, "a request that brings its own approval is refused", brief(answer));
    }
    scene.did("the agent posted to what an approval path would be called");
    for (const verb of ["approve", "approval", "decision", "confirm"]) {
      const answer = await agentPost(scene, `/v1/tasks/${encodeURIComponent(taskId)}/${verb}`, own);
      check(answer >= 400, `an agent has no path /v1/tasks/…/${verb}`, { status: answer });
    }
    const doors = desk.holder.doors(approval, desk.refs.consentRef);
    for (const door of doors) await knock(scene, door, own);
    if (doors.length === 0) scene.did("the driver named no door of the trusted interface: those tries were left out");
    await sleep(SETTLED_MS);
    const { body } = await desk.port.task(taskId);
    check(body["state"] === "approval_required", "the task still waits for its holder", body);
    const grant = await desk.port.consent(desk.refs.consentRef);
    check(grant.body["state"] === "granted", "the grant stands as its holder left it", brief(grant));
    check((await scene.counted()).submits === 0, "nothing was submitted");
  },
};

async function agentPost(scene: Scene, path: string, authorization: string): Promise<number> {
  const answer = await call({
    method: "POST",
    url: new URL(path, scene.stage.gateway).href,
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ decision: "approved", approved: true }),
  });
  return answer.status;
}

async function knock(scene: Scene, door: Door, authorization: string): Promise<void> {
  const tries: readonly (readonly [string, Record<string, string>])[] = [
    ["with the agent's token", { ...door.headers, authorization }],
    ["with nobody's session", { ...door.headers }],
    ["in the holder's session, from another site's page", { ...door.headers, ...door.credentials, ...otherSite(door) }],
  ];
  for (const [how, headers] of tries) {
    scene.did(`sent ${door.what} ${how}`);
    const answer = await call({ method: "POST", url: door.url, headers, body: door.body });
    check(answer.status >= 400, `${door.what} ${how} is refused`, { status: answer.status });
  }
}

/** What a browser would say of a request that another site's page makes. */
function otherSite(door: Door): Record<string, string> {
  return { ...("origin" in door.headers ? { origin: ELSEWHERE } : {}), "sec-fetch-site": "cross-site" };
}
