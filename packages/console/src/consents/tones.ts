import type { ConsentView } from "@countersign/gateway/trusted-contract";

export const CONSENT_TONES = {
  requested: "wait",
  granted: "good",
  refused: "bad",
  revoked: "bad",
  expired: "bad",
} as const satisfies Readonly<Record<ConsentView["state"], string>>;
