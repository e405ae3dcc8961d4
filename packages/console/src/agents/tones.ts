export const AGENT_TONES = { requested: "wait", accepted: "good", refused: "bad", revoked: "bad" } as const;
