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
  const entryOf = (protocol: PublicProtocol) => catalogue.find(({ id }) => id === protocol.catalogue.id);
  const named = new Set(protocols.map((protocol) => protocol.catalogue.id));
  return {
    spoken: protocols.flatMap((protocol) => {
      const entry = entryOf(protocol);
      if (entry === undefined) return [];
      return [{ protocol, catalogued: sameSet(entry.versions, protocol.versions) ? undefined : entry.versions }];
    }),
    unknown: protocols.filter((protocol) => entryOf(protocol) === undefined),
    missing: catalogue.filter(({ id }) => !named.has(id)),
  };
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join("\n") === [...b].sort().join("\n");
}
