/**
 * What the countersign driver needs of the operator: people and agents are brought in from the machine that the gateway
 * runs on, as `countersign link` and `countersign agent add` do. The operator decides nothing for a person.
 */
export interface Operator {
  /** A new account holder in a tenant of their own. */
  addHolder(name: string): Promise<{ readonly personId: string }>;
  /** A fresh one-time sign-in link's token. */
  link(personId: string): Promise<string>;
  /** Asks for an agent; the holder still has to say yes. */
  addAgent(personId: string, name: string): Promise<{ readonly clientId: string }>;
  /** The accepted agent's credential, once. */
  credential(clientId: string): Promise<AgentCredential>;
}

export interface AgentCredential {
  readonly clientId: string;
  readonly refreshToken: string;
  readonly tokenEndpoint: string;
  readonly resource: string;
}
