import type { Answer, HeldRequest } from "@countersign/plugin";

/** As the boundary sends: what was held and nothing else, no redirect, no repeat; a cut answer is no answer. */
export async function sendHeld(
  held: HeldRequest,
  send: (request: Request) => Promise<Response>,
): Promise<Answer | "lost"> {
  const headers = new Headers();
  for (const [name, value] of held.headers) if (!UNSENT.has(name.toLowerCase())) headers.append(name, value.reveal());
  const body = new Uint8Array(held.body.reveal());
  const init = { method: held.method, headers, redirect: "manual" } as const;
  try {
    const response = await send(new Request(held.url, body.length === 0 ? init : { ...init, body }));
    return {
      status: response.status,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
    };
  } catch {
    return "lost";
  }
}

/** Set by whoever sends. */
const UNSENT: ReadonlySet<string> = new Set(["content-length", "connection", "host", "transfer-encoding"]);
