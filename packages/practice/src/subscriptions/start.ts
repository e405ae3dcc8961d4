import { dispatch } from "../site/dispatch.ts";
import { openSite, type PracticeSite, type PracticeSiteOptions, siteOptions } from "../site/start.ts";
import { answerLanternControl, createLanternControl, type LanternControl } from "./control.ts";
import { lanternSite } from "./site.ts";
import { createLanternWorld } from "./world.ts";

export type PracticeSubscriptions = PracticeSite<LanternControl>;

/** Opens a practice subscription service on loopback: pages that go step by step, an API with a bearer token, and a control port. */
export function startPracticeSubscriptions(options: PracticeSiteOptions = {}): Promise<PracticeSubscriptions> {
  const common = siteOptions(options);
  const world = createLanternWorld(common);
  return openSite(options, common, {
    answer: (request, callers) => dispatch(lanternSite, world, request, callers),
    answerControl: (request) => answerLanternControl(world, request),
    control: createLanternControl(world),
  });
}
