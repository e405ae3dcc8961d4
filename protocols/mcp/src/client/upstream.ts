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
      /** Without it: our metadata document where it can be read, else a registration of our own. */
      readonly client?: RegisteredClient;
      /**
       * Our metadata document's address, where it does not stand at the gateway's own origin: `https`, and open to the
       * authorization server. It is used only with a server that says that it reads such documents.
       */
      readonly clientDocument?: string;
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
  readonly commits: readonly string[];
}

export function commitNames(bindings: Bindings): readonly string[] {
  return [...new Set(bindings.commits.map(({ commit }) => commit.call.name))];
}
