import { isJsonObject, type JsonObject } from "@countersign/wire";
import { SuiteTrouble } from "../check.ts";
import type { Holder } from "../holder/holder.ts";
import { ALL_OPERATIONS } from "../shop/practice.ts";
import type { AgentPort, AgentTransport } from "../transport/transport.ts";
import { inMs } from "./requests.ts";

const GRANT_LIFE_MS = 24 * 3_600_000;
const DESTINATION = "practice-shop";

export interface Account {
  readonly accountRef: string;
  readonly fulfillmentRef: string;
}

/** A holder of the cast with their agents; lasts for the whole run. */
export class Actor {
  readonly holder: Holder;
  readonly ports: readonly AgentPort[];
  readonly #destination: string;
  #account: Promise<Account> | undefined;

  constructor(holder: Holder, transport: AgentTransport, destination = DESTINATION) {
    this.holder = holder;
    this.ports = holder.agents.map((access) => transport.as(access));
    this.#destination = destination;
  }

  /** The account at the practice shop, connected when it is first needed. */
  account(): Promise<Account> {
    this.#account ??= this.connect();
    return this.#account;
  }

  /** After its session at the shop was ended, the next case connects anew. */
  forgetAccount(): void {
    this.#account = undefined;
  }

  async connect(): Promise<Account> {
    const accountRef = await this.holder.connectAccount();
    const port = this.port(0);
    await this.grantFor(port, accountRef, { operations: [...ALL_OPERATIONS] });
    const capabilities = await port.capabilities(accountRef);
    const { references } = capabilities.body;
    const home = Array.isArray(references)
      ? references.find((row) => isJsonObject(row) && row["kind"] === "fulfillment")
      : undefined;
    const ref = home !== undefined && isJsonObject(home) ? home["ref"] : undefined;
    if (typeof ref !== "string") throw new SuiteTrouble("the connected account lists no delivery address");
    return { accountRef, fulfillmentRef: ref };
  }

  port(index: number): AgentPort {
    const port = this.ports[index];
    if (port === undefined) throw new SuiteTrouble(`${this.holder.name} has no agent ${index + 1}`);
    return port;
  }

  /** The agent asks, the holder grants what was asked. */
  async grantFor(port: AgentPort, accountRef: string, asked: JsonObject): Promise<string> {
    const answer = await port.requestConsent({
      destination: this.#destination,
      purpose: "Conformance run at the practice shop.",
      expires_at: inMs(GRANT_LIFE_MS),
      ...asked,
    });
    const { consent_ref: consentRef } = answer.body;
    if (answer.status !== 201 || typeof consentRef !== "string")
      throw new SuiteTrouble(`a grant could not be asked for: ${answer.status} ${answer.reason ?? ""}`.trim());
    await this.holder.grant(consentRef, accountRef);
    return consentRef;
  }
}
