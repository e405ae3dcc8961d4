import { digestOfBytes } from "@countersign/wire";

let asked: Promise<string> | undefined;

/**
 * SHA-256 of the script that this page was started with, in base64url: an approval by passkey names the build that drew
 * the record (`surface.build_digest`). Every other file of the build is imported by a name that holds a hash of its
 * content, so the first script stands for all of them.
 */
export function buildDigest(): Promise<string> {
  asked ??= read().catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

async function read(): Promise<string> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (script === null) throw new Error("the page was started by a script");
  const response = await fetch(script.src, { credentials: "same-origin", redirect: "error" });
  if (!response.ok) throw new Error("the page's own script can be read");
  return digestOfBytes(new Uint8Array(await response.arrayBuffer()));
}
