import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { assert, type Secret } from "@countersign/wire";

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** AES-256-GCM under one master key. `context` is authenticated: a sealed value cannot be moved to another row. */
export interface Sealer {
  seal(context: string, plain: Uint8Array): Uint8Array;
  /** @throws when the bytes were altered, moved, or sealed under another key. */
  open(context: string, sealed: Uint8Array): Uint8Array;
}

export function createSealer(key: Secret<Uint8Array>): Sealer {
  assert(key.reveal().length === KEY_BYTES, "the master key has 32 bytes");
  return {
    seal(context, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key.reveal(), nonce);
      cipher.setAAD(Buffer.from(context, "utf8"));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(context, sealed) {
      assert(sealed[0] === VERSION && sealed.length >= 1 + NONCE_BYTES + TAG_BYTES, "a sealed value of this version");
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key.reveal(), nonce);
      decipher.setAAD(Buffer.from(context, "utf8"));
      decipher.setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

const utf8 = new TextEncoder();

export function sealText(sealer: Sealer, context: string, text: string): Uint8Array {
  return sealer.seal(context, utf8.encode(text));
}

export function openText(sealer: Sealer, context: string, sealed: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(sealer.open(context, sealed));
}
