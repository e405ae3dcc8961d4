import type { SiteRecord } from "@countersign/plugin";
import { secret } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MERCHANT_RECORD_BYTES_MAX, MERCHANT_RECORDS_MAX } from "../limits.ts";
import { answerEvidence } from "./answer-evidence.ts";
import { keepable, withoutSecrets } from "./merchant-records.ts";

const warnings: string[] = [];
const core = {
  log: { debug() {}, info() {}, warn: (event: string) => warnings.push(event), error() {} },
} as unknown as Parameters<typeof keepable>[0];

const record = (change: Partial<SiteRecord> = {}): SiteRecord => ({
  kind: "order_confirmation",
  mediaType: "application/json",
  bytes: new TextEncoder().encode('{"number":"1"}'),
  signatureChecked: false,
  ...change,
});

describe("REC-3 what of a site's records is kept", () => {
  it("nothing that is too many, too large, empty, or that a receipt could not name; the rest as it is", () => {
    const good = record({ by: "shop.example" });
    const bad = [
      record({ kind: "Order Confirmation" }),
      record({ mediaType: "text/html; charset=utf-8" }),
      record({ bytes: new Uint8Array() }),
      record({ bytes: new Uint8Array(MERCHANT_RECORD_BYTES_MAX + 1) }),
      record({ by: "\ud800" }),
      record({ by: "x".repeat(1_000) }),
    ];
    warnings.length = 0;
    expect(keepable(core, "task_1", [...bad, good])).toEqual([good]);
    expect(warnings).toEqual(["merchant_record.left_out"]);
    expect(
      keepable(
        core,
        "task_1",
        Array.from({ length: 20 }, () => good),
      ),
    ).toHaveLength(MERCHANT_RECORDS_MAX);
    expect(keepable(core, "task_1")).toEqual([]);
  });

  it("AUT-4 nothing that holds one of the session's own secrets", () => {
    const token = "token-of-the-session";
    const telling = record({ bytes: new TextEncoder().encode(`<a href="/?t=${token}">`) });
    expect(withoutSecrets([telling, record()], [secret(token)])).toEqual([record()]);
    // A value too short to be told from chance is no reason to lose a receipt.
    expect(withoutSecrets([record()], [secret("1")])).toEqual([record()]);
  });
});

describe("REC-2 the site's answer in a receipt", () => {
  it("is its hash, its size and a media type that a receipt can carry, whatever the site says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.uint8Array({ maxLength: 200 }), async (type, body) => {
        const named = await answerEvidence({ status: 200, headers: [["Content-Type", type]], body });
        expect(Object.keys(named).sort()).toEqual(["bytes", "kind", "media_type", "sha256"]);
        expect(named["media_type"]).toMatch(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/);
        expect(named["bytes"]).toBe(body.length);
      }),
    );
    const html = {
      status: 200,
      headers: [["content-type", "Text/HTML; charset=utf-8"]] as const,
      body: new Uint8Array(),
    };
    expect(await answerEvidence(html)).toMatchObject({ media_type: "text/html" });
  });
});
