import type { Bindings, Site } from "@countersign/plugin";
import { canonicalJson, digestOfText, type Json } from "@countersign/wire";
import type { AgentIdentity, RemoteAgent } from "./agent.ts";
import { a2aEntry } from "./entry.ts";

/** A remote agent as an operator sets it up (docs/a2a-client.md). */
export interface A2aSiteSetting {
  /** The site's id; one for each configured destination, since what is bound is bound there. */
  readonly id: string;
  readonly title: string;
  readonly agent: Omit<RemoteAgent, "committing" | "skills">;
  readonly bindings: Omit<Bindings, "identity">;
  readonly identity: AgentIdentity;
}

const VERSION_CHARS = 16;

/** A site of a remote agent's skills. Its version names what was bound, so that a record says by which binding. */
export async function a2aSite({ id, title, agent, bindings, identity }: A2aSiteSetting): Promise<Site> {
  const digest = await digestOfText(canonicalJson({ ...bindings, identity } as unknown as Json));
  const entry = a2aEntry({ ...agent, bindings, identity });
  return { id, title, version: `a2a/${digest.slice(0, VERSION_CHARS)}`, entries: [entry] };
}
