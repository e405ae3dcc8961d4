import { PROFILE_ID } from "@countersign/profile";
import { isJsonObject, parseJws } from "@countersign/wire";
import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { call } from "../http.ts";
import { objectOf } from "../stage/requests.ts";

const KEY_SET_BYTES = 65_536;

/** REQ-7: the profile as documents that a program can read. */
export const req7: ConformanceCase = {
  id: "REQ-7",
  requirements: ["REQ-7"],
  group: "Requests",
  claim:
    "The gateway publishes which profile it speaks, its HTTP binding as OpenAPI 3.1, and the keys of its evidence.",
  async run(scene) {
    const read = async (path: string) => {
      scene.did(`read ${path}`);
      const answer = await call({ method: "GET", url: new URL(path, scene.stage.gateway).href });
      check(answer.status === 200, `${path} is public`, { status: answer.status });
      return answer;
    };
    const about = objectOf((await read("/.well-known/agentic-web-execution")).json);
    check(Array.isArray(about["profiles"]) && about["profiles"].includes(PROFILE_ID), "it names the profile", about);
    check(about["issuer"] === scene.stage.issuer, "it names itself as the issuer", { issuer: about["issuer"] ?? null });
    check(Array.isArray(about["operations"]), "it lists its catalogue of operations");
    const openapi = objectOf((await read("/openapi.json")).json);
    check(String(openapi["openapi"]).startsWith("3.1"), "the binding is OpenAPI 3.1");
    const { paths } = openapi;
    check(paths !== undefined && isJsonObject(paths) && Object.hasOwn(paths, "/v1/tasks"), "with the tasks' paths");
    const keys = parseJws((await read("/.well-known/countersign-keys")).text, { maxPayloadBytes: KEY_SET_BYTES });
    check(keys.ok && keys.value.kind === "keys", "the key set is a signed record");
  },
};
