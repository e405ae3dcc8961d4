import { receiptRecord, SITE_TEXT_BYTES_MAX } from "@countersign/profile";
import { checkRecord, digestOfText, type Json, type JsonObject } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitReceipt, fitTerms, fitText } from "./fit.ts";

const receipt = (members: JsonObject = {}): JsonObject => ({
  typ: "countersign.receipt/1",
  issuer: "https://gateway.example",
  source: "gateway",
  receipt_id: "rcp_1",
  task_id: "task_1",
  operation: "retail.order.submit",
  account_ref: "acct_1",
  outcome: "succeeded",
  finished_at: "2031-04-01T12:00:00Z",
  evidence: [],
  merchant_records: [],
  ...members,
});
const signable = (value: JsonObject) =>
  checkRecord({ ...value, account_seq: 1 }).ok && receiptRecord.safeParse({ ...value, account_seq: 1 }).success;

describe("REC-1 what a site says, as a receipt can hold it", () => {
  it("shows controls by their marks and keeps every other character", () => {
    expect(fitText("CX\t1\u0000\n\u001f")).toBe("CX␉1␀\n␟");
    expect(fitText("a\r\nb\u202e\ud800")).toBe("a\nb\u202e\ufffd");
  });

  it("tells long text by digest and size, and leaves out what is no record", async () => {
    const long = "ü".repeat(SITE_TEXT_BYTES_MAX);
    const terms = { note: long, lines: [{ title: "a\tb" }], price: 1.5, gone: null, total_minor: 5 };
    expect(await fitTerms(terms as unknown as JsonObject)).toEqual({
      value: {
        note: { digest: await digestOfText(long), bytes: 2 * SITE_TEXT_BYTES_MAX },
        lines: [{ title: "a␉b" }],
        total_minor: 5,
      },
      leftOut: ["price", "gone"],
    });
  });

  it("a receipt that is one already stays as it is, to the letter", async () => {
    const good = receipt({ destination: { confirmation: "CX-1", how: "the site's answer" }, observed: { payee: "s" } });
    expect(await fitReceipt(good)).toEqual({ value: good, leftOut: [] });
  });

  it("leaves out a confirmation above the limit, and terms until the rest fits", async () => {
    const text = "x".repeat(SITE_TEXT_BYTES_MAX);
    const observed = { a: text, b: text, c: `${text}`, d: text.slice(1), total_minor: 5 };
    const big = receipt({ destination: { confirmation: "x".repeat(40 * 1024), how: "read back" }, observed });
    const { value, leftOut } = await fitReceipt(big);
    expect(signable(value)).toBe(true);
    expect(value["destination"]).toEqual({ how: "read back" });
    expect(value["observed"]).toMatchObject({ total_minor: 5 });
    expect(leftOut).toEqual(["destination.confirmation", "observed"]);
  });

  it("whatever a site says, the outcome gets a receipt that can be signed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary" }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        async (text, terms) => {
          const said = { destination: { confirmation: text }, observed: { ...terms, total_minor: 1 } as Json };
          expect(signable((await fitReceipt(receipt(said))).value)).toBe(true);
        },
      ),
    );
  });
});
