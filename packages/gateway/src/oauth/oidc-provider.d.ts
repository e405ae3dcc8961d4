// The package ships no types. Only what this folder uses is declared, as its 9.13 sources define it.
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export interface AdapterPayload {
    readonly [member: string]: unknown;
    readonly grantId?: string;
    readonly uid?: string;
    readonly userCode?: string;
  }

  /** `expiresIn` is in seconds. */
  export interface Adapter {
    upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<AdapterPayload | undefined>;
    findByUid(uid: string): Promise<AdapterPayload | undefined>;
    findByUserCode(userCode: string): Promise<AdapterPayload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface Client {
    readonly clientId: string;
  }

  export interface Context {
    body: unknown;
    status: number;
    type: string;
    readonly path: string;
    readonly oidc?: { readonly route?: string; readonly client?: Client };
  }

  export interface TokenParameters {
    readonly accountId: string;
    readonly clientId: string;
    readonly grantId?: string;
    readonly gty?: string;
    readonly resource?: string | readonly string[];
    readonly scope?: string;
    readonly rotations?: number;
  }

  interface Stored {
    readonly jti: string;
    /** Writes the row and answers its bearer value (for a grant: its id). */
    save(): Promise<string>;
  }
  interface StoredGrant extends Stored {
    addResourceScope(resource: string, scope: string): void;
  }

  export interface Token {
    readonly kind: string;
    readonly clientId: string;
    readonly grantId?: string;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly issuer: string;
    proxy: boolean;
    readonly Grant: new (parameters: {
      readonly accountId: string;
      readonly clientId: string;
    }) => StoredGrant;
    readonly RefreshToken: new (
      parameters: TokenParameters,
    ) => Stored;
    callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: string, listener: (...args: readonly unknown[]) => void): this;
  }

  export namespace errors {
    class OIDCProviderError extends Error {
      /** The OAuth error code. */
      readonly error: string;
    }
    class InvalidGrant extends OIDCProviderError {
      constructor(detail: string);
    }
    class InvalidTarget extends OIDCProviderError {
      constructor(description?: string);
    }
    class InvalidDpopProof extends OIDCProviderError {
      constructor(description: string);
    }
  }
}
