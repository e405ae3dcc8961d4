import type { Bindings } from "@countersign/plugin";
import type { Secret } from "@countersign/wire";

/** The client that the operator registered at an authorization server by hand. */
export interface RegisteredClient {
  readonly id: string;
  readonly secret?: Secret<string>;
}

export type UpstreamSignIn =
  | {
      /** The person agrees at the server's own authorization server. */
      readonly kind: "oauth";
      /** Which of several authorization servers; else the first that the destination's origins hold. */
      readonly authorizationServer?: string;
      /** Else the gateway's metadata document where it can be read, else dynamic registration. */
      readonly client?: RegisteredClient;
      /** Asked for on top of what the server asks for itself. */
      readonly scopes?: readonly string[];
    }
  | {
      /** The person gives a token that they made at the server themselves. */
      readonly kind: "token";
      readonly label: string;
    };

/** An upstream MCP server as the operator set it up: what a route of this kind reads of an entry. */
export interface McpUpstream {
  /** The path of its endpoint, at the destination's origin. */
  readonly path: string;
  readonly signIn: UpstreamSignIn;
  /** The tools that commit: nothing of these leaves but at the boundary. */
  readonly commits: ReadonlySet<string>;
}

export function commitNames(bindings: Bindings): ReadonlySet<string> {
  return new Set(bindings.commits.map(({ commit }) => commit.call.name));
}
