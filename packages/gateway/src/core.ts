import type {
  AccessService,
  Authority,
  Destination,
  Fetch,
  IdentitySigner,
  Log,
  Route,
  RouteKind,
} from "@countersign/plugin";
import type { Catalogue } from "@countersign/profile";
import type { Instant } from "@countersign/wire";
import type { WaitingPages } from "./connection/waiting-pages.ts";
import type { AllowedPlaces } from "./egress/allowed.ts";
import type { Egress } from "./egress/egress.ts";
import type { EvidenceKeys } from "./evidence/keys.ts";
import type { Sequencer } from "./evidence/sequencer.ts";
import type { ChannelName } from "./notify/kinds.ts";
import type { Delegation } from "./oauth/delegated.ts";
import type { OpenIdSetting } from "./people/outside.ts";
import type { Point } from "./points.ts";
import type { Store } from "./store/store.ts";
import type { StepEnds } from "./tasks/step-ends.ts";
import type { Sealer } from "./vault/seal.ts";
import type { Vault } from "./vault/vault.ts";

/** A configured destination with its entries by route, in the order of preference (MAP-5). */
export interface KnownDestination {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  /** `name/version` of the site adapter; goes into the action record. */
  readonly adapter: string;
  readonly byRoute: ReadonlyMap<RouteKind, Destination>;
}

/** What every part of the gateway is given; made once by `createGateway`. */
export interface Core {
  readonly issuer: string;
  /** The authorization server whose tokens count here, where it is not our own. */
  readonly outsideIssuer?: string;
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly destinations: ReadonlyMap<string, KnownDestination>;
  readonly routes: ReadonlyMap<RouteKind, Route>;
  /** Access infrastructure by the sort of check that it passes (MFA-5). */
  readonly access: ReadonlyMap<string, AccessService>;
  /** Sessions kept open for the person in this process (MFA-6). */
  readonly pages: WaitingPages;
  /** Outside authorities by id (seam `gateway.authority`); one counts only where the account holder enrolled it. */
  readonly authorities: ReadonlyMap<string, Authority>;
  /** How people sign in beyond passkeys and links. */
  readonly people: {
    readonly openid?: OpenIdSetting;
    /** A way out of its own: what the operator named for people opens no address to any adapter. */
    readonly fetch: Fetch;
  };
  readonly sealer: Sealer;
  readonly vault: Vault;
  readonly keys: EvidenceKeys;
  readonly sequencer: Sequencer;
  readonly egress: Egress;
  /** Tokens of our own for those whom this gateway calls on a person's behalf (MAP-2). */
  readonly delegation: Delegation;
  /** Who proves to destinations who is calling, by id (seam `gateway.identity`). */
  readonly identities: ReadonlyMap<string, IdentitySigner>;
  /** By which ways people are told; none: nobody is told anything. */
  readonly channels: readonly ChannelName[];
  /** Where agents may be told what becomes of their tasks; absent: nowhere. */
  readonly taskWebhooks?: AllowedPlaces;
  readonly now: () => Instant;
  readonly newId: (prefix: string) => string;
  readonly log: Log;
  /** Says that a due time may have moved; losing it is harmless. */
  readonly poke: () => void;
  /** Ends of steps, for whoever waits for a task. */
  readonly steps: StepEnds;
  /** Passes a named moment; does nothing outside the proofs (see points.ts). */
  readonly reach: (point: Point) => Promise<void> | void;
}

/** An account holder, in their tenant. */
export interface Owner {
  readonly tenantId: string;
  readonly personId: string;
}
