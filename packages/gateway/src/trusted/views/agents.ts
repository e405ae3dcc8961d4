export interface AgentView {
  readonly client_id: string;
  readonly name: string;
  readonly state: "requested" | "accepted" | "refused" | "revoked";
  readonly created_at: string;
  readonly decided_at?: string;
  /** To the minute: when it last called with a token that counted. */
  readonly last_seen_at?: string;
  /** Where an accepted agent hears of its own tasks; it named these addresses itself. */
  readonly receivers?: readonly AgentReceiverView[];
}

/** A receiver of webhooks. Its path may hold a secret of its owner's, so only the origin is told. */
export interface AgentReceiverView {
  readonly origin: string;
  /** `gone`: it said that it wants nothing more. */
  readonly state: "active" | "gone";
}
