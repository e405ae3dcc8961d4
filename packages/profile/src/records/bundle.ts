import { z } from "zod";
import { actionRecord } from "./action.ts";
import { DISCLOSURE_BYTES_MAX, DISCLOSURES_MAX, EARLIER_KEYS_MAX, PATH_NODES_MAX } from "./limits.ts";
import { passkeyRecord } from "./passkey.ts";
import { bytesText, compactJws, digestText } from "./shapes.ts";

/** Where a leaf stands in the tree, and the hashes from it up to the root (RFC 9162 section 2.1.3). */
export const inclusionProof = z.strictObject({
  index: z.int().min(0),
  path: z.array(digestText).max(PATH_NODES_MAX),
});

const bundleLog = z.strictObject({
  checkpoint: compactJws,
  keys: inclusionProof,
  credential: inclusionProof.exactOptional(),
  approval: inclusionProof.exactOptional(),
  receipt: inclusionProof.exactOptional(),
});

/**
 * `countersign.bundle/1`: all that an offline verification needs (APR-7), for the account holder to keep or show.
 * `log` is absent while the gateway has no log. A task that ended before there was an action has a receipt alone.
 */
export const evidenceBundle = z
  .strictObject({
    typ: z.literal("countersign.bundle/1"),
    action: actionRecord.exactOptional(),
    disclosures: z.array(bytesText(DISCLOSURE_BYTES_MAX)).max(DISCLOSURES_MAX).exactOptional(),
    approval: compactJws.exactOptional(),
    passkey: passkeyRecord.exactOptional(),
    credential: compactJws.exactOptional(),
    receipt: compactJws.exactOptional(),
    keys: compactJws,
    /**
     * Key sets that each introduced a new log key, signed with the one before it, oldest first: what leads a reader who
     * holds an older pin to `keys`.
     */
    earlier_keys: z.array(compactJws).min(1).max(EARLIER_KEYS_MAX).exactOptional(),
    log: bundleLog.exactOptional(),
  })
  .refine((bundle) => bundle.approval !== undefined || bundle.receipt !== undefined, "a decision, a receipt or both")
  .refine((bundle) => bundle.action !== undefined || bundle.approval === undefined, "an approval is of an action")
  .refine((bundle) => bundle.action !== undefined || !bundle.disclosures?.length, "disclosures belong to an action");

export type InclusionProof = z.infer<typeof inclusionProof>;
export type EvidenceBundle = z.infer<typeof evidenceBundle>;
