import type { ConformanceCase } from "../case.ts";
import { check } from "../check.ts";
import { brief } from "../stage/desk.ts";
import { objectOf } from "../stage/requests.ts";

/** Lessons U13: what was never taken cannot be replayed. */
export const req4Invalid: ConformanceCase = {
  id: "REQ-4.invalid",
  requirements: ["REQ-4", "REQ-9", "U13"],
  group: "Requests",
  claim: "A request that was refused for its shape or its references does not spend its key.",
  async run(scene) {
    const desk = await scene.desk();
    const request = desk.list();
    scene.did("sent the key with bad parameters, then with a reference of nobody's, then with a good request");
    const bad = await desk.port.submit({ ...request, parameters: { ...objectOf(request["parameters"]), limit: 0 } });
    check(bad.status === 400, "bad parameters are refused", brief(bad));
    const nobodys = await desk.port.submit({ ...request, consent_ref: "cons_conformance_unknown" });
    check(nobodys.status === 404, "an unknown reference is not found", brief(nobodys));
    const good = await desk.port.submit(request);
    check(
      good.status === 201 && !good.replayed,
      "the corrected request makes its task under the same key",
      brief(good),
    );
  },
};
