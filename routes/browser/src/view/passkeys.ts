import type { BrowserContext } from "playwright-core";

/**
 * A site's passkey cannot be carried over: the person's device is not where this browser runs, and without an answer the
 * page waits for ever. So the page hears what it hears when a person closes the passkey's window, and offers its other
 * ways; the person hears why. Suggestions in a field (`conditional`) are left alone: nobody asked for them.
 */
export async function refusePasskeys(context: BrowserContext, onAsked: () => void): Promise<void> {
  // The page never sees this name: it is taken away before a script of the page runs.
  const name = `p${crypto.randomUUID().replaceAll("-", "")}`;
  await context.exposeBinding(name, () => onAsked());
  await context.addInitScript(answerAsClosed, name);
}

/** Runs in each page, before its own scripts. */
function answerAsClosed(name: string): void {
  const tell: unknown = Reflect.get(globalThis, name);
  Reflect.deleteProperty(globalThis, name);
  // Absent in pages that are no secure context; those cannot ask for passkeys either.
  const container = Reflect.get(globalThis, "CredentialsContainer") as { readonly prototype: object } | undefined;
  if (container === undefined || typeof tell !== "function") return;
  for (const method of ["get", "create"]) {
    const own: unknown = Reflect.get(container.prototype, method);
    if (typeof own !== "function") continue;
    const replaced = {
      [method](this: unknown, options?: { readonly publicKey?: unknown; readonly mediation?: string }) {
        if (options?.publicKey === undefined || options.mediation === "conditional")
          return Reflect.apply(own, this, [options]) as unknown;
        tell();
        return Promise.reject(
          new DOMException("The operation either timed out or was not allowed.", "NotAllowedError"),
        );
      },
    };
    Reflect.set(container.prototype, method, replaced[method]);
  }
}
