import type { ConsentScope, OperationLabel } from "./consents.ts";

/** A client asks at the authorization endpoint to act for the person. */
export interface AuthorizationView {
  readonly ref: string;
  readonly client: {
    readonly client_id: string;
    /** `document`: the host is proven and the name is the client's own word. `known`: the operator entered both. */
    readonly kind: "document" | "known";
    readonly host?: string;
    readonly name: string;
  };
  /** Where the answer goes. Any program on the machine can take what goes to `this_device` or to an `app`. */
  readonly returns_to:
    | { readonly kind: "site"; readonly origin: string }
    | { readonly kind: "this_device" }
    | { readonly kind: "app"; readonly scheme: string }
    /** A device that showed a code: its address and its own word of what it is, as they were when it asked. */
    | { readonly kind: "device"; readonly address: string; readonly agent: string };
  /** It acts for this person already. */
  readonly is_agent: boolean;
  readonly expires_at: string;
  readonly state: "asked" | "allowed" | "refused";
  /** Once it is answered: the path that takes the answer to the client. */
  readonly onward?: string;
  /** The client named what it wants: only that can be given. Otherwise the person picks, or gives nothing yet. */
  readonly by_name: boolean;
  /** The client's own words. */
  readonly purpose?: string;
  /** Where something can be given. Empty with `by_name`: what it names is not this person's. */
  readonly destinations: readonly AuthorizationDestination[];
}

export interface AuthorizationDestination {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  /** The one account that was named. */
  readonly account_ref?: string;
  /** The most that can be given. */
  readonly asked: ConsentScope;
  readonly available_operations: readonly OperationLabel[];
  readonly available_routes: readonly string[];
}

/** Without a grant the client is let in and may ask for one later. */
export type AuthorizationDecision =
  | { readonly decision: "refuse" }
  | {
      readonly decision: "allow";
      readonly grant?: { readonly destination: string; readonly account_ref: string } & ConsentScope;
    };
