import type { Secret } from "@countersign/wire";
import type { RouteKind } from "./ids.ts";

/** Names the requests that commit at a site: an exact method and a path in which `*` stands for one segment; at whichever of the destination's origins. */
export interface RequestPattern {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /**
   * Where one path takes reads and commits alike (GraphQL): the documents that commit nothing, word for word. Every other
   * request there is a commit (`asksDocument`). A route that does not look at bodies takes them all for commits.
   */
  readonly exceptDocuments?: readonly string[];
}

/** The committing request exactly as it will be sent. Header values may carry the session's secrets. */
export interface HeldRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: Secret<string>])[];
  readonly body: Secret<Uint8Array>;
  /** This destination is not told who is calling; else the gateway signs the request last of all (seam `gateway.identity`). */
  readonly unsigned?: true;
}

/** What came back, cut at a named limit. `body` is the whole body: a cut or broken one is never an Answer. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** A request held at the route's door. Exactly one of `answer` and `abandon` is called, once. */
export interface HeldExchange {
  readonly request: HeldRequest;
  /** Gives the site's answer to the page or caller that is waiting for it. */
  answer(answer: Answer): Promise<void>;
  /**
   * Fails the held request; nothing leaves any more. With `unsent` nothing has left before, for certain: what was made
   * ready for it at the site may be put back as it was.
   */
  abandon(fate?: "unsent"): Promise<void>;
}

/** Already authenticated at the destination. Routes give a richer type (`BrowserSession`, `HttpSession`). */
export interface Session {
  readonly kind: RouteKind;
  readonly origin: string;
}
