import type { Answer, HeldExchange, HeldRequest, RequestPattern } from "@countersign/plugin";
import { assert, secret } from "@countersign/wire";
import type { CDPSession } from "playwright-core";
import { type Commits, commitOf, samePattern } from "./commits.ts";
import { answerHeaders, heldHeaders } from "./headers.ts";
import { type HeaderLine, mayBeSigned, type Sign, type Standing, signedHeaders } from "./signing.ts";

/** Where a request comes from, as far as the browser tells. */
export interface Origin {
  readonly contextId: string;
  readonly pageOrigin: string | undefined;
  /** `inner`: a frame that stands in a page of the same context's. */
  readonly frame: "top" | "inner";
}

export interface DoorOptions {
  /** The *browser's* CDP session: the only one below which nothing leaks (pop-ups, workers, unload, redirect hops). */
  readonly cdp: CDPSession;
  /** Finds the context of a frame; undefined refuses. */
  locate(frameId: string): Promise<Origin | undefined>;
  readonly acceptLanguage: string;
  onRefused(contextId: string | undefined, pattern: RequestPattern): void;
  /** A held request could not be answered or failed: its page is gone. */
  onLost(): void;
}

/** A request that carries data, looked at while it stands still: false fails it. */
export type Watch = (request: WatchedRequest) => Promise<boolean>;

export interface WatchedRequest {
  readonly url: string;
  readonly body: Buffer;
}

interface Arm {
  readonly pattern: RequestPattern;
  readonly origin: string;
  arrived(held: HeldExchange): void;
}

interface Wait {
  exchange: Promise<HeldExchange>;
  cancel(): void;
}

type Paused = {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: {
    url: string;
    method: string;
    headers: Record<string, string>;
    hasPostData?: boolean;
    postDataEntries?: { bytes?: string }[];
  };
};

/**
 * One per browser. Requests that commit are failed here, in every context, page and worker; only a context that has
 * been armed gets exactly one of them held. Interception is never switched off and the session never detached while the
 * browser lives: both would release what is held.
 */
export class Door {
  readonly #options: DoorOptions;
  readonly #guarded = new Map<string, Commits>();
  readonly #arms = new Map<string, Arm>();
  readonly #held = new Map<string, Set<Exchange>>();
  readonly #watches = new Map<string, Watch>();
  readonly #signs = new Map<string, { readonly origin: string; readonly sign: Sign }>();
  #enabling: Promise<void> = Promise.resolve();

  constructor(options: DoorOptions) {
    this.#options = options;
    options.cdp.on("Fetch.requestPaused", (event) => {
      this.#paused(event).catch(() => options.onLost());
    });
  }

  /** Refuses these commits from now on. Called before the first page of a context exists. */
  async guard(commits: Commits): Promise<void> {
    const before = this.#guarded.get(commits.origin)?.patterns ?? [];
    const more = commits.patterns.filter((each) => !before.some((known) => samePattern(known, each)));
    if (this.#guarded.has(commits.origin) && more.length === 0) return this.#enabling;
    this.#guarded.set(commits.origin, { origin: commits.origin, patterns: [...before, ...more] });
    const patterns = [...this.#guarded.keys()].map((origin) => ({ urlPattern: `${origin}/*` }));
    this.#enabling = this.#enabling.then(async () => {
      await this.#options.cdp.send("Fetch.enable", { patterns });
    });
    return this.#enabling;
  }

  /** Has every request of the context that carries data to a guarded origin looked at before it leaves. */
  watch(contextId: string, watch: Watch): void {
    this.#watches.set(contextId, watch);
  }

  /** Has what this browser asks of a guarded origin say who is calling, until the context leaves. */
  sign(contextId: string, origin: string, sign: Sign): void {
    this.#signs.set(contextId, { origin, sign });
  }

  /** Lets the next request that is `pattern` be held for this context. One at a time in a context. */
  arm(contextId: string, origin: string, pattern: RequestPattern): Wait {
    const known = this.#guarded.get(origin)?.patterns ?? [];
    assert(
      known.some((each) => samePattern(each, pattern)),
      "hold: the pattern is not among the destination's commits",
    );
    assert(!this.#arms.has(contextId), "hold: the door is armed already");
    assert(
      this.#open(contextId).every((each) => each.state === "abandoned"),
      "hold: this session has held a request",
    );
    let arm: Arm | undefined;
    const exchange = new Promise<HeldExchange>((resolve) => {
      arm = { pattern, origin, arrived: resolve };
      this.#arms.set(contextId, arm);
    });
    return {
      exchange,
      cancel: () => {
        if (this.#arms.get(contextId) === arm) this.#arms.delete(contextId);
      },
    };
  }

  /** Fails whatever the context holds and disarms it; before any teardown. */
  async leave(contextId: string): Promise<void> {
    this.#arms.delete(contextId);
    this.#watches.delete(contextId);
    this.#signs.delete(contextId);
    await Promise.all(this.#open(contextId).map((each) => each.abandon()));
    this.#held.delete(contextId);
  }

  async leaveAll(): Promise<void> {
    await Promise.all([...new Set([...this.#held.keys(), ...this.#arms.keys()])].map((id) => this.leave(id)));
  }

  #open(contextId: string): readonly Exchange[] {
    return [...(this.#held.get(contextId) ?? [])];
  }

  async #paused(event: Paused): Promise<void> {
    const { cdp } = this.#options;
    const { requestId, request } = event;
    const pattern = commitOf(request.method, request.url, this.#guarded.values());
    if (!pattern) {
      if (await this.#mayLeave(event)) await this.#letGo(event);
      else await this.#refuse(event);
      return;
    }
    const from = await this.#options.locate(event.frameId).catch(() => undefined);
    // From here to the end of `take` nothing waits: two matches cannot both find the arm.
    const arm = from && this.#take(from.contextId, pattern, request.url);
    if (!from || !arm) {
      this.#options.onRefused(from?.contextId, pattern);
      await this.#refuse(event);
      return;
    }
    const held = new Exchange(
      cdp,
      requestId,
      {
        ...heldRequest(event, from, this.#options.acceptLanguage),
        // The gateway signs what it sends itself, where the destination is told at all.
        ...(this.#signsFor(request.url) === undefined ? { unsigned: true as const } : {}),
      },
      this.#options.onLost,
    );
    const kept = this.#held.get(from.contextId) ?? new Set();
    this.#held.set(from.contextId, kept.add(held));
    arm.arrived(held);
  }

  #signsFor(url: string): { readonly origin: string; readonly sign: Sign } | undefined {
    const { origin } = new URL(url);
    return [...this.#signs.values()].find((one) => one.origin === origin);
  }

  /**
   * Lets a request go, with what says who is calling where that is said. Headers that are added here are not carried to
   * where a redirect leads (measured): each hop comes by again and is judged anew.
   */
  async #letGo(event: Paused): Promise<void> {
    const { cdp } = this.#options;
    const { requestId } = event;
    const headers = await this.#signed(event).catch(() => undefined);
    if (headers !== undefined) {
      const sent = cdp.send("Fetch.continueRequest", { requestId, headers: [...headers] });
      // What the browser does not take of it must not leave the page waiting.
      const taken = await sent.then(
        () => true,
        () => false,
      );
      if (taken) return;
    }
    await cdp.send("Fetch.continueRequest", { requestId });
  }

  async #signed(event: Paused): Promise<readonly HeaderLine[] | undefined> {
    const { frameId, request, resourceType } = event;
    const signs = this.#signsFor(request.url);
    if (signs === undefined) return undefined;
    const standing: Standing = {
      url: request.url,
      method: request.method,
      resourceType,
      headers: request.headers,
      body: wholeBodyOf(request),
      isTopLevel: async () => {
        // A frame of the same site is no target, and has no information of its own.
        const target = await this.#options.cdp
          .send("Target.getTargetInfo", { targetId: frameId })
          .catch(() => undefined);
        return target?.targetInfo.type === "page";
      },
      askedBy: async () => (await this.#options.locate(frameId).catch(() => undefined))?.pageOrigin,
    };
    return (await mayBeSigned(standing, signs.origin)) ? signedHeaders(standing, signs.sign) : undefined;
  }

  /**
   * A document that is refused leaves its page as it stands (a 204 goes nowhere): the person would see the browser's own
   * error in its place, and lose what they typed. A script must hear of a failure, for 204 could be taken for success.
   */
  async #refuse({ requestId, resourceType }: Paused): Promise<void> {
    const { cdp } = this.#options;
    if (resourceType === "Document") await cdp.send("Fetch.fulfillRequest", { requestId, responseCode: 204 });
    else await cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  }

  async #mayLeave({ frameId, request }: Paused): Promise<boolean> {
    if (this.#watches.size === 0 || request.hasPostData !== true) return true;
    const from = await this.#options.locate(frameId).catch(() => undefined);
    const watch = from && this.#watches.get(from.contextId);
    return watch === undefined || watch({ url: request.url, body: bodyOf(request) }).catch(() => false);
  }

  #take(contextId: string, pattern: RequestPattern, url: string): Arm | undefined {
    const arm = this.#arms.get(contextId);
    if (!arm || !samePattern(arm.pattern, pattern) || new URL(url).origin !== arm.origin) return undefined;
    this.#arms.delete(contextId);
    return arm;
  }
}

function heldRequest(event: Paused, from: Origin, acceptLanguage: string): HeldRequest {
  const { request, resourceType } = event;
  return {
    method: request.method,
    url: request.url,
    headers: heldHeaders({
      url: request.url,
      resourceType,
      headers: request.headers,
      pageOrigin: from.pageOrigin,
      frame: from.frame,
      acceptLanguage,
    }),
    body: secret(new Uint8Array(bodyOf(request))),
  };
}

function bodyOf(request: Paused["request"]): Buffer {
  return Buffer.concat((request.postDataEntries ?? []).map((part) => Buffer.from(part.bytes ?? "", "base64")));
}

/** Undefined where it is not handed over whole: a stream, or something too long. */
function wholeBodyOf(request: Paused["request"]): Uint8Array | undefined {
  const parts = request.postDataEntries ?? [];
  if (request.hasPostData === true && (parts.length === 0 || parts.some(({ bytes }) => bytes === undefined)))
    return undefined;
  return bodyOf(request);
}

class Exchange implements HeldExchange {
  readonly request: HeldRequest;
  state: "held" | "answered" | "abandoned" = "held";
  readonly #cdp: CDPSession;
  readonly #requestId: string;
  readonly #onLost: () => void;

  constructor(cdp: CDPSession, requestId: string, request: HeldRequest, onLost: () => void) {
    this.#cdp = cdp;
    this.#requestId = requestId;
    this.request = request;
    this.#onLost = onLost;
  }

  /** The page's own fate no longer matters once the site has answered: a page that is gone is no error. */
  async answer(answer: Answer): Promise<void> {
    assert(this.state !== "answered", "a held request is answered once");
    if (this.state === "abandoned") return this.#onLost();
    this.state = "answered";
    await this.#cdp
      .send("Fetch.fulfillRequest", {
        requestId: this.#requestId,
        responseCode: answer.status,
        responseHeaders: answerHeaders(answer),
        body: Buffer.from(answer.body).toString("base64"),
      })
      .catch(() => this.#onLost());
  }

  async abandon(): Promise<void> {
    if (this.state !== "held") return;
    this.state = "abandoned";
    await this.#cdp
      .send("Fetch.failRequest", { requestId: this.#requestId, errorReason: "BlockedByClient" })
      .catch(() => this.#onLost());
  }
}
