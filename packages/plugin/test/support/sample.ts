import {
  build,
  type Contribution,
  corePlugin,
  definePlugin,
  type Kernel,
  type Plugin,
  type Problem,
  type ProblemCode,
  type ProtocolDescription,
} from "../../src/index.ts";
import { type AnyPoint, definePoint, type FillablePoint, type Kind, type Override } from "../../src/kernel/point.ts";

/** What the sample points take: an object with a text. */
export interface Note {
  readonly text: string;
}

export function isNote(v: unknown): v is Note {
  return typeof v === "object" && v !== null && "text" in v && typeof v.text === "string";
}

export function point<K extends Kind>(
  name: string,
  kind: K,
  override: Override,
  more: { required?: boolean; secretBearing?: boolean } = {},
): FillablePoint<Note, K> {
  return definePoint({ id: `sample.${name}`, kind, override, check: isNote, ...more });
}

export const signer = point("signer", "one", "host", { secretBearing: true });
export const style = point("style", "one", "declared");
export const other = point("other", "keyed", "declared");
export const note = point("note", "all", "declared");
export const sealed = point("sealed", "one", "never");
export const POINTS = [signer, style, other, note, sealed];

export const CANARY = "canary-default-key";

export function describing(id: string, points: readonly AnyPoint[]): ProtocolDescription {
  return {
    id,
    name: "Sample",
    versions: ["1.0"],
    publisher: "nobody",
    layer: "transport",
    roles: ["client"],
    state: "implemented",
    points: points.map((p) => p.id),
    catalogue: { id, versions: ["1.0"] },
    libraries: [],
  };
}

export const describes = describing("sample", POINTS);

export const owner = definePlugin({
  manifest: { id: "protocol.sample", version: "1", title: "Sample", opens: POINTS, uses: [], describes },
  contribute(put) {
    put(signer, { id: "default", value: { text: CANARY } });
    put(style, { id: "default", value: { text: "default" } });
    put(sealed, { id: "default", value: { text: "sealed" } });
  },
});

export function guest(
  id: string,
  at: FillablePoint<Note>,
  contribution: Omit<Contribution<Note>, "id" | "value"> & { readonly text?: string; readonly id?: string },
  uses: readonly AnyPoint[] = [at],
): Plugin {
  const { text = id, id: name = "v", ...more } = contribution;
  return definePlugin({
    manifest: { id, version: "1", title: id, opens: [], uses },
    contribute: (put) => put(at, { id: name, value: { text }, ...more }),
  });
}

export function bare(
  id: string,
  more: Partial<Plugin["manifest"]> = {},
  contribute: Plugin["contribute"] = () => {},
): Plugin {
  return definePlugin({ manifest: { id, version: "1", title: id, opens: [], uses: [], ...more }, contribute });
}

export const TRUSTED = ["host.vault"];

export function problems(...plugins: readonly Plugin[]): readonly Problem[] {
  const result = build([corePlugin, owner, ...plugins], { trusted: TRUSTED });
  return result.ok ? [] : result.problems;
}

export function codes(...plugins: readonly Plugin[]): readonly ProblemCode[] {
  return problems(...plugins).map((p) => p.code);
}

export function kernelOf(...plugins: readonly Plugin[]): Kernel {
  const result = build([corePlugin, owner, ...plugins], { trusted: TRUSTED });
  if (!result.ok) throw new Error(result.problems.map((p) => p.message).join("\n"));
  return result.kernel;
}
