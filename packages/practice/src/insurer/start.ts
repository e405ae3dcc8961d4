import { listen } from "../http/listen.ts";
import { dispatch } from "../site/dispatch.ts";
import { openSite, type PracticeSite, type PracticeSiteOptions, siteOptions } from "../site/start.ts";
import { answerInsurerControl, createInsurerControl, type InsurerControl } from "./control.ts";
import { claimsCompanySite, insurerSite } from "./site.ts";
import { claimsView, createInsurerWorld } from "./world.ts";

export interface PracticeInsurerOptions extends PracticeSiteOptions {
  /** Port of the claims company on 127.0.0.1; a free one when absent. */
  readonly claimsPort?: number;
}

export interface PracticeInsurer extends PracticeSite<InsurerControl> {
  /** The second origin: a destination has to name it among those that its pages may reach. */
  readonly claimsOrigin: string;
}

/**
 * Opens a practice insurer on loopback: its pages and API, the claims company whose form stands in a frame of them, and
 * a control port. All of them close together.
 */
export async function startPracticeInsurer(options: PracticeInsurerOptions = {}): Promise<PracticeInsurer> {
  const common = siteOptions(options);
  const world = createInsurerWorld(common);
  const company = claimsView(world);
  const unasked = { meet: async () => undefined };
  const claims = await listen(options.claimsPort ?? 0, (request) =>
    dispatch(claimsCompanySite, company, request, unasked),
  );
  world.places.claims = claims.origin;
  try {
    const site = await openSite(options, common, {
      answer: (request, callers) => dispatch(insurerSite, world, request, callers),
      answerControl: (request) => answerInsurerControl(world, request),
      control: createInsurerControl(world),
    });
    world.places.portal = site.origin;
    return {
      ...site,
      claimsOrigin: claims.origin,
      close: async () => {
        await Promise.all([site.close(), claims.close()]);
      },
    };
  } catch (error) {
    await claims.close();
    throw error;
  }
}
