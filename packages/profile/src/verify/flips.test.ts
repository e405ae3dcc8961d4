import { canonicalJson, fromBase64Url, type Json, toBase64Url } from "@countersign/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifyBundle } from "./bundle.ts";
import { copyOfBundle, TRUST, vector } from "./example.ts";

const TEXT = canonicalJson(vector.bundle as Json);
const PRINTABLE = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));

async function stands(bundle: string | Json): Promise<boolean> {
  return (await verifyBundle(bundle, TRUST)).ok;
}

/**
 * In canonical text no character is spare, so whatever is changed, left out or put in, the bundle is refused. Parts that
 * may be left out whole (a disclosure, the receipt with its proof, the log) are more than one character.
 */
describe("APR-7 one changed character never passes", () => {
  test("replaced, anywhere in the bundle", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: TEXT.length - 1 }), PRINTABLE, async (at, character) => {
        fc.pre(TEXT[at] !== character);
        expect(await stands(TEXT.slice(0, at) + character + TEXT.slice(at + 1))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test("left out or doubled, anywhere in the bundle", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: TEXT.length - 1 }), async (at) => {
        expect(await stands(TEXT.slice(0, at) + TEXT.slice(at + 1))).toBe(false);
        expect(await stands(TEXT.slice(0, at + 1) + TEXT.slice(at))).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  const SIGNED = ["approval", "credential", "receipt", "keys", "checkpoint"] as const;

  test.each(SIGNED)("one bit of the %s: header, payload or signature", async (part) => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 2 }), fc.nat(), fc.nat({ max: 7 }), async (segment, pick, bit) => {
        const bundle = copyOfBundle();
        const jws = part === "checkpoint" ? bundle.log.checkpoint : bundle[part];
        const segments = jws.split(".");
        segments[segment] = flipped(segments[segment] ?? "", pick, bit);
        if (part === "checkpoint") bundle.log.checkpoint = segments.join(".");
        else bundle[part] = segments.join(".");
        expect(await stands(bundle as Json)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  test.each(["authenticator_data", "client_data_json", "signature", "credential_id"] as const)(
    "one bit of the passkey's %s",
    async (member) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.nat({ max: 7 }), async (pick, bit) => {
          const bundle = copyOfBundle();
          bundle.passkey[member] = flipped(bundle.passkey[member], pick, bit);
          expect(await stands(bundle as Json)).toBe(false);
        }),
        { numRuns: 30 },
      );
    },
  );

  test("one bit of a disclosure", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat({ max: 7 }), async (pick, bit) => {
        const bundle = copyOfBundle();
        bundle.disclosures = [flipped(bundle.disclosures[0] ?? "", pick, bit)];
        expect(await stands(bundle as Json)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test("one bit of a proof", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("keys" as const, "credential" as const, "approval" as const, "receipt" as const),
        fc.nat(),
        fc.nat(),
        fc.nat({ max: 7 }),
        async (part, node, pick, bit) => {
          const bundle = copyOfBundle();
          const { path } = bundle.log[part];
          const at = node % path.length;
          path[at] = flipped(path[at] ?? "", pick, bit);
          expect(await stands(bundle as Json)).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** The base64url text with one bit of its bytes flipped. */
function flipped(text: string, pick: number, bit: number): string {
  const bytes = fromBase64Url(text);
  if (!bytes.ok) throw new Error("the example is base64url");
  const at = pick % bytes.value.length;
  return toBase64Url(bytes.value.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte)));
}

/** Never throws, whatever it is given. */
test("arbitrary input is answered, never thrown at", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.uint8Array()), async (input) => {
      expect((await verifyBundle(input, TRUST)).ok).toBe(false);
    }),
    { numRuns: 300 },
  );
});
