import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalOf, formatMoney, minorDigits } from "../site/money.ts";
import { price } from "./pricing.ts";

const skus = fc.constantFrom("TL-200", "WB-750-SAND", "MS-2", "PB-45", "CK-1", "unknown");

test("the total is always the sum of the lines and the delivery, and no part is negative", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ sku: skus, quantity: fc.integer({ min: 1, max: 99 }) }), { maxLength: 8 }),
      fc.constantFrom("standard", "express", "collect", "unknown"),
      fc.integer({ min: -2_000, max: 2_000 }),
      fc.integer({ min: -20_000, max: 20_000 }),
      (wanted, delivery, deliveryDeltaMinor, unitDelta) => {
        const unitDeltaMinor = new Map([["TL-200", unitDelta]]);
        const priced = price(wanted, delivery, "EUR", { deliveryDeltaMinor, unitDeltaMinor, titles: new Map() });
        const lines = priced.lines.reduce((sum, line) => sum + line.unitMinor * line.quantity, 0);
        expect(priced.totalMinor).toBe(lines + priced.delivery.priceMinor);
        expect(priced.lines.every((line) => line.unitMinor >= 0)).toBe(true);
        expect(priced.delivery.priceMinor).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});

test("U55 a shown amount read back digit by digit is the same amount", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.constantFrom("EUR", "JPY", "KWD"), (amountMinor, currency) => {
      expect(BigInt(formatMoney(amountMinor, currency).replace(/\D/g, ""))).toBe(BigInt(amountMinor));
      expect(
        decimalOf(amountMinor, minorDigits(currency))
          .replace(".", "")
          .replace(/^0+(?=\d)/, ""),
      ).toBe(`${amountMinor}`);
    }),
  );
});
