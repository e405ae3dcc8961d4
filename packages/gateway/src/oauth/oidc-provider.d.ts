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

  /** What was asked for; names as on the wire. The library reads it anew at each step. */
  export interface Parameters {
    scope?: string | undefined;
    readonly resource?: string | readonly string[];
    readonly authorization_details?: string;
    readonly device_code?: string;
  }

  export interface Context {
    body: unknown;
    status: number;
    type: string;
    readonly path: string;
    readonly ip: string;
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    redirect(url: string): void;
    readonly oidc?: {
      readonly route?: string;
      readonly client?: Client;
      /** Absent where a route takes none. */
      readonly params?: Parameters;
      readonly provider: Provider;
      readonly grant?: StoredGrant;
      readonly result?: InteractionResult;
      readonly entities: { readonly Interaction?: Interaction };
    };
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
  export interface StoredGrant extends Stored {
    readonly rar?: readonly object[];
    addResourceScope(resource: string, scope: string): void;
    addRar(detail: object): void;
  }

  export interface InteractionResult {
    readonly login?: { readonly accountId: string; readonly remember: boolean };
    readonly consent?: { readonly grantId: string };
    readonly error?: string;
  }
  /** A request at the authorization endpoint that waits for the person. `exp` is in seconds. */
  export interface Interaction {
    readonly uid: string;
    readonly exp: number;
    readonly returnTo: string;
    readonly params: Readonly<Record<string, unknown>>;
    result?: InteractionResult;
    save(ttlSeconds: number): Promise<string>;
  }

  /** A request of a device that waits for its code to be typed. `exp` is in seconds. */
  export interface DeviceCode extends Stored {
    readonly exp: number;
    readonly clientId: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly deviceInfo?: { readonly ip?: unknown; readonly ua?: unknown };
    accountId?: string;
    grantId?: string;
    scope?: string;
    resource?: string;
    authTime?: number;
    rar?: readonly object[];
    error?: string;
    errorDescription?: string;
  }

  export interface Token {
    readonly kind: string;
    readonly clientId: string;
    readonly accountId?: string;
    readonly grantId?: string;
    readonly rar?: readonly object[];
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly issuer: string;
    proxy: boolean;
    readonly Grant: (new (parameters: {
      readonly accountId: string;
      readonly clientId: string;
    }) => StoredGrant) & { find(id: string): Promise<StoredGrant | undefined> };
    readonly RefreshToken: new (
      parameters: TokenParameters,
    ) => Stored;
    readonly DeviceCode: {
      find(code: string): Promise<DeviceCode | undefined>;
      findByUserCode(userCode: string): Promise<DeviceCode | undefined>;
    };
    readonly Interaction: { find(uid: string): Promise<Interaction | undefined> };
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
    class InvalidAuthorizationDetails extends OIDCProviderError {
      constructor(description: string);
    }
  }
}
