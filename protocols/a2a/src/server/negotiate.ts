import { err, ok, type Result } from "@countersign/wire";
import type { A2aExtension } from "../extensions/extension.ts";
import { extensionUri } from "../extensions/uri.ts";
import { EXTENSIONS_ASKED_MAX } from "../limits.ts";
import { A2A_VERSIONS } from "../versions.ts";
import { type A2aError, failure } from "../wire/errors.ts";

const VERSION_HEADER = "a2a-version";
export const EXTENSIONS_HEADER = "a2a-extensions";

/**
 * What a request says of itself beside its body: the version, Major.Minor as the card has it (nothing means 0.3, which
 * is not spoken here), and the extensions that it activates. One that the card requires must be among them.
 */
export function negotiate(
  request: Request,
  extensions: readonly A2aExtension[],
): Result<readonly A2aExtension[], A2aError> {
  const version = request.headers.get(VERSION_HEADER) ?? new URL(request.url).searchParams.get("A2A-Version") ?? "";
  if (!A2A_VERSIONS.includes(version.trim())) return err(failure("VERSION_NOT_SUPPORTED"));
  const asked = new Set(
    (request.headers.get(EXTENSIONS_HEADER) ?? "")
      .split(",")
      .slice(0, EXTENSIONS_ASKED_MAX)
      .flatMap((text) => {
        const uri = extensionUri(text.trim());
        return uri.ok ? [uri.value] : [];
      }),
  );
  const active = extensions.filter(({ uri }) => asked.has(plain(uri)));
  const isMissing = extensions.some((one) => one.required && !active.includes(one));
  return isMissing ? err(failure("EXTENSION_SUPPORT_REQUIRED")) : ok(active);
}

/** An application writes a URI as it likes; it is the same one in every spelling. */
function plain(uri: string): string {
  const read = extensionUri(uri);
  return read.ok ? read.value : uri;
}

/** Says which extensions were really activated; nothing where none was. */
export function echo(active: readonly A2aExtension[]): Readonly<Record<string, string>> {
  return active.length === 0 ? {} : { [EXTENSIONS_HEADER]: active.map(({ uri }) => uri).join(", ") };
}
