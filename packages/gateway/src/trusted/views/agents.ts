export interface AgentView {
  readonly client_id: string;
  readonly name: string;
  readonly state: "requested" | "accepted" | "refused" | "revoked";
  readonly created_at: string;
  readonly decided_at?: string;
  /** To the minute: when it last called with a token that counted. */
  readonly last_seen_at?: string;
}
