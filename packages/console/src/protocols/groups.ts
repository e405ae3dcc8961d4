import type { ProtocolsView, PublicProtocol } from "@countersign/gateway/trusted-contract";

type Entry = ProtocolsView["catalogue"][number];

/** What the page shows, by what plugins say and what the catalogue knows (PLG-5). */
export interface Groups {
  /** Spoken here, and the catalogue knows it; what the catalogue says of its versions where that is something else. */
  readonly spoken: readonly { readonly protocol: PublicProtocol; readonly catalogued: readonly string[] | undefined }[];
  /** Spoken here, and unknown to the catalogue: somebody's mistake, or a plugin from elsewhere. */
  readonly unknown: readonly PublicProtocol[];
  /** In the catalogue, and no plugin here speaks it. */
  readonly missing: readonly Entry[];
}

/** The order of the answer stays: by layer, then by id. */
export function groupsOf({ protocols, catalogue }: ProtocolsView): Groups {
  const versionsOf = (id: string) => catalogue.find((entry) => entry.id === id)?.versions;
  const named = new Set(protocols.map((protocol) => protocol.catalogue.id));
  return {
    spoken: protocols
      .filter(({ entry }) => entry !== "unknown")
      .map((protocol) => ({
        protocol,
        catalogued: protocol.entry === "other_versions" ? versionsOf(protocol.catalogue.id) : undefined,
      })),
    unknown: protocols.filter(({ entry }) => entry === "unknown"),
    missing: catalogue.filter(({ id }) => !named.has(id)),
  };
}
