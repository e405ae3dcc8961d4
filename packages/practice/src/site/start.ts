import type { IncomingMessage } from "node:http";
import { currentTotp } from "../auth/credentials.ts";
import { type Callers, createCallers, type SignatureDemand } from "../callers/callers.ts";
import { listen } from "../http/listen.ts";
import type { WireReply } from "../http/reply.ts";
import { PRACTICE_USER, type PracticeUser } from "./person.ts";
import { seededRandom, systemRandom } from "./random.ts";
import type { SiteOptions } from "./world.ts";

export interface PracticeSiteOptions {
  /** Port of the site on 127.0.0.1; a free one when absent. */
  readonly port?: number;
  /** Port of the control server on 127.0.0.1; a free one when absent. */
  readonly controlPort?: number;
  /** Epoch milliseconds. One-time codes, sessions and all that has a date follow it. */
  readonly clock?: () => number;
  /** How the `delay` switch waits; a timer when absent. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** Replaces members of the documented practice person. */
  readonly user?: Partial<PracticeUser>;
  /** Makes numbers, tokens and references reproducible. Absent: the machine's randomness. */
  readonly seed?: string;
  /** Of which requests it is demanded that the agent's operator has signed them; of none when absent. */
  readonly signatures?: SignatureDemand;
}

export interface PracticeSite<C> {
  /** For example `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly controlOrigin: string;
  readonly control: C;
  /** Whose signatures are demanded, and who called. */
  readonly callers: Callers;
  readonly user: PracticeUser;
  /** The six digits the person's authenticator shows now. */
  readonly currentCode: () => string;
  /** Stops both servers and cuts their connections. */
  readonly close: () => Promise<void>;
}

function timer(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

export function siteOptions(options: PracticeSiteOptions): SiteOptions {
  return {
    now: options.clock ?? Date.now,
    sleep: options.sleep ?? timer,
    random: options.seed === undefined ? systemRandom : seededRandom(options.seed),
    user: { ...PRACTICE_USER, ...options.user },
  };
}

/** Opens a site's two servers on loopback: its pages and API, and the control port beside them. */
export async function openSite<C>(
  options: PracticeSiteOptions,
  world: SiteOptions,
  parts: {
    readonly answer: (request: IncomingMessage, callers: Callers) => Promise<WireReply>;
    readonly answerControl: (request: IncomingMessage) => Promise<WireReply>;
    readonly control: C;
  },
): Promise<PracticeSite<C>> {
  let origin = "http://127.0.0.1";
  const callers = createCallers({ demand: options.signatures ?? "off", now: world.now, origin: () => origin });
  const site = await listen(options.port ?? 0, (request) => parts.answer(request, callers));
  origin = site.origin;
  try {
    const controlServer = await listen(
      options.controlPort ?? 0,
      async (request) => callers.answerControl(request) ?? parts.answerControl(request),
    );
    return {
      origin: site.origin,
      controlOrigin: controlServer.origin,
      control: parts.control,
      callers,
      user: world.user,
      currentCode: () => currentTotp(world.user, world.now()),
      close: async () => {
        await Promise.all([site.close(), controlServer.close()]);
      },
    };
  } catch (error) {
    await site.close();
    throw error;
  }
}
