import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { err, fromBase64Url, ok, type Result, type Secret, secret, toBase64Url } from "@countersign/wire";

const KEY_BYTES = 32;
const KEY_FILE = "master.key";
/** base64url of 32 bytes; set it to keep the key away from the data. */
export const MASTER_KEY_ENV = "COUNTERSIGN_MASTER_KEY";

export type MasterKeyProblem = "not_32_bytes" | "file_open_to_others";

/** The key from the environment, else from a 0600 file in the data directory, which the first start makes. */
export function loadMasterKey(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
): Result<Secret<Uint8Array>, MasterKeyProblem> {
  const given = env[MASTER_KEY_ENV];
  if (given !== undefined) return decode(given);
  const path = join(dataDir, KEY_FILE);
  try {
    writeFileSync(path, toBase64Url(randomBytes(KEY_BYTES)), { mode: 0o600, flag: "wx" });
    chmodSync(path, 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  if ((statSync(path).mode & 0o077) !== 0) return err("file_open_to_others");
  return decode(readFileSync(path, "utf8").trim());
}

function decode(text: string): Result<Secret<Uint8Array>, MasterKeyProblem> {
  const bytes = fromBase64Url(text);
  return bytes.ok && bytes.value.length === KEY_BYTES ? ok(secret(bytes.value)) : err("not_32_bytes");
}
