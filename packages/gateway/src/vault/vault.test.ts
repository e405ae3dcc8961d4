import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secret, toBase64Url } from "@countersign/wire";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadMasterKey, MASTER_KEY_ENV } from "./master-key.ts";
import { createSealer, openText, sealText } from "./seal.ts";

const sealer = createSealer(secret(new Uint8Array(32).fill(7)));

describe("AUT-4 sealed values", () => {
  it("open to what was sealed, and to nothing when altered, moved or under another key", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.nat(), (text, at) => {
        const sealed = sealText(sealer, "row:1", text);
        expect(openText(sealer, "row:1", sealed)).toBe(text);
        const altered = Uint8Array.from(sealed);
        altered[at % altered.length] = (altered[at % altered.length] ?? 0) ^ 1;
        expect(() => openText(sealer, "row:1", altered)).toThrow();
        expect(() => openText(sealer, "row:2", sealed)).toThrow();
        expect(() => openText(createSealer(secret(new Uint8Array(32).fill(8))), "row:1", sealed)).toThrow();
      }),
    );
  });
  it("are different each time", () => {
    expect(Buffer.from(sealText(sealer, "r", "x"))).not.toEqual(Buffer.from(sealText(sealer, "r", "x")));
  });
});

describe("AUT-4 the master key", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "countersign-key-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("is made once, for its owner alone", () => {
    const first = loadMasterKey(dir, {});
    const again = loadMasterKey(dir, {});
    expect(first.ok && again.ok && Buffer.from(first.value.reveal()).equals(Buffer.from(again.value.reveal()))).toBe(
      true,
    );
    expect(statSync(join(dir, "master.key")).mode & 0o777).toBe(0o600);
  });
  it("a file that others can read is refused", () => {
    writeFileSync(join(dir, "master.key"), toBase64Url(new Uint8Array(32)), { mode: 0o644 });
    expect(loadMasterKey(dir, {})).toEqual({ ok: false, reason: "file_open_to_others" });
  });
  it("from the environment it leaves no file; a short one is refused", () => {
    expect(loadMasterKey(dir, { [MASTER_KEY_ENV]: toBase64Url(new Uint8Array(32)) }).ok).toBe(true);
    expect(() => readFileSync(join(dir, "master.key"))).toThrow();
    expect(loadMasterKey(dir, { [MASTER_KEY_ENV]: toBase64Url(new Uint8Array(31)) })).toEqual({
      ok: false,
      reason: "not_32_bytes",
    });
  });
});
