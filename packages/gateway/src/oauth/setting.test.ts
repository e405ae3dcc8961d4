import { describe, expect, it } from "vitest";
import { documentGuard } from "./setting.ts";

const pin = async (setting: Parameters<typeof documentGuard>[0], origin: string): Promise<boolean> => {
  const { hostname } = new URL(origin);
  return (await documentGuard(setting).pin({ hostname, origin, port: 443 })).ok;
};

describe("U51 where clients' documents may come from", () => {
  it.each(["https://127.0.0.1", "https://10.0.0.8", "https://[fd00::1]", "https://169.254.169.254"])(
    "not from %s, unless the operator says so",
    async (origin) => {
      expect(await pin(undefined, origin)).toBe(false);
      expect(await pin({ documents: "https" }, origin)).toBe(false);
      expect(await pin({ documents: "loopback_too" }, origin)).toBe(origin === "https://127.0.0.1");
    },
  );

  it("from a public address", async () => {
    expect(await pin(undefined, "https://93.184.215.14")).toBe(true);
  });
});
