import { ToolError } from "../processes/processes.ts";

/** Kept here: while an adapter is checked nobody else has a `fetch`, lest the adapter use it. */
const send = globalThis.fetch;

export type Data = Readonly<Record<string, unknown>>;

/** One request to one of Vendure's APIs. @throws {ToolError} when it answers with errors. */
export async function ask(
  url: string,
  query: string,
  variables: Data = {},
  token?: string,
): Promise<{ readonly data: Data; readonly token: string | undefined }> {
  const answer = await send(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await answer.json()) as { readonly data?: Data; readonly errors?: unknown };
  if (body.data === undefined || body.errors !== undefined)
    throw new ToolError(`Vendure answered ${answer.status}: ${JSON.stringify(body.errors)}`);
  return { data: body.data, token: answer.headers.get("vendure-auth-token") ?? undefined };
}
