import { registerHooks } from "node:module";

/**
 * What a plugin shares with the gateway: a point, a schema or a `Secret` of another copy would be a stranger here. A
 * plugin in a folder of its own therefore finds these without installing them, and always ours.
 */
const SHARED = /^(@countersign\/(adapter-kit|gateway|plugin|profile|route-browser|route-http|wire)|zod)(\/|$)/;

const folders = new Set<string>();
let hooked = false;

/** From now on, what is under this folder (a `file:` URL with a slash at its end) gets the shared packages from here. */
export function sharePackagesWith(folder: string): void {
  folders.add(folder);
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      const isPlugins = parentURL !== undefined && [...folders].some((one) => parentURL.startsWith(one));
      if (!isPlugins || !SHARED.test(specifier)) return next(specifier, context);
      return next(specifier, { ...context, parentURL: import.meta.url });
    },
  });
}
